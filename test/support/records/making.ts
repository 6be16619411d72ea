import type { Answer } from '../client.ts'
import type { Tenant } from '../service.ts'

/** How suites over all operations get a record of a resource, and a body that would make another. */
export interface RecordMaker {
  /** Fields that a creation accepts; for resources that clients can create. */
  fields?(tenant: Tenant): Promise<Record<string, unknown>>
  /** Fields that single operations accept instead, by operation id. */
  readonly by?: Readonly<Record<string, (tenant: Tenant) => Promise<Record<string, unknown>>>>
  /** Makes one that an operation can be done to, by operation id, where it can be done once or not to any. */
  readonly makeFor?: Readonly<Record<string, (tenant: Tenant) => Promise<number>>>
  /** The owner below which it is made, where that is always the same one. */
  owner?(tenant: Tenant): Promise<number>
  /** What paths name it by, where that is no id. */
  readonly code?: string
  /** Makes one, or names one that is there; gives its id. */
  make(tenant: Tenant): Promise<number>
}

let count = 0
/** A name that no other record has. */
export const unique = (stem: string): string => `${stem} ${++count}`

/** Of a record that was made. */
export const idOf = ({ status, body }: Answer): number => {
  if (status !== 201) throw new Error(`expected 201, got ${status} ${JSON.stringify(body)}`)
  return body.id as number
}

/** A resource that clients can create. */
export const creatable = (
  fields: (tenant: Tenant) => Promise<Record<string, unknown>>,
  path: (tenant: Tenant) => string | Promise<string>,
  root: string,
): RecordMaker & { fields(tenant: Tenant): Promise<Record<string, unknown>> } => ({
  fields,
  make: async (tenant) => idOf(await tenant.api.post(await path(tenant), { [root]: await fields(tenant) })),
})

export const inWorkspace = (path: string) => (tenant: Tenant) => `/workspaces/${tenant.workspaceId}${path}`

/** The first that a workspace has. */
export const firstOf =
  (path: string) =>
  async (tenant: Tenant): Promise<number> =>
    (await tenant.api.get(`/workspaces/${tenant.workspaceId}${path}`)).body[0].id
