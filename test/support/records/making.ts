import type { Answer } from '../client.ts'
import type { Tenant } from '../service.ts'

/** Makes records of a resource, and bodies that create more of them, for suites over all operations. */
export interface RecordMaker {
  /** Fields that the create operation accepts. Absent when clients cannot create the resource. */
  fields?(tenant: Tenant): Promise<Record<string, unknown>>
  /** Fields for operations that need others, by operation id. */
  readonly by?: Readonly<Record<string, (tenant: Tenant) => Promise<Record<string, unknown>>>>
  /** Makes a suitable record for operations that work only once on a record, or not on every record; by operation id. */
  readonly makeFor?: Readonly<Record<string, (tenant: Tenant) => Promise<number>>>
  /** Id of the owner below which all records are made, when it is always the same one. */
  owner?(tenant: Tenant): Promise<number>
  /** Code that paths contain in place of the id. */
  readonly code?: string
  /** Makes a record, or finds an existing one. @returns its id */
  make(tenant: Tenant): Promise<number>
}

let count = 0
/** A unique name. */
export const unique = (stem: string): string => `${stem} ${++count}`

/** Id of the record that a request created. @throws {Error} when it was not answered with 201 */
export const idOf = ({ status, body }: Answer): number => {
  if (status !== 201) throw new Error(`expected 201, got ${status} ${JSON.stringify(body)}`)
  return body.id as number
}

/** Maker of a resource that clients can create. */
export const creatable = (
  fields: (tenant: Tenant) => Promise<Record<string, unknown>>,
  path: (tenant: Tenant) => string | Promise<string>,
  root: string,
): RecordMaker & { fields(tenant: Tenant): Promise<Record<string, unknown>> } => ({
  fields,
  make: async (tenant) => idOf(await tenant.api.post(await path(tenant), { [root]: await fields(tenant) })),
})

export const inWorkspace = (path: string) => (tenant: Tenant) => `/workspaces/${tenant.workspaceId}${path}`

/** Finds the first record of a list of the workspace. */
export const firstOf =
  (path: string) =>
  async (tenant: Tenant): Promise<number> =>
    (await tenant.api.get(`/workspaces/${tenant.workspaceId}${path}`)).body[0].id
