import type { Route } from '../../api/routes.ts'
import type { WriteOperation } from '../../domain/resources/operation.ts'
import { recordMakers } from './records.ts'
import type { Tenant } from './service.ts'

/** The path of an operation, filled with ids of the tenant's records. */
export const pathFor = async (tenant: Tenant, { path, resource, operationId }: Route): Promise<string> => {
  let filled = path
  for (const [placeholder, param] of path.matchAll(/\{([^}]+)\}/g)) {
    const ownsIt = param === resource.under.param
    const named = ownsIt ? resource.under.resource : resource.name
    const maker = recordMakers[resource.name]
    const make = ownsIt ? maker?.owner : maker?.makeFor?.[operationId]
    const any = make ?? recordMakers[named]?.make
    if (!any) throw new Error(`test/support/records.ts has no maker for ${named}`)
    filled = filled.replace(placeholder, recordMakers[named]?.code ?? String(await any(tenant)))
  }
  return filled
}

/** A body that an operation accepts. */
export const bodyFor = async (
  tenant: Tenant,
  { operation, operationId, resource }: Route,
): Promise<Record<string, unknown> | undefined> => {
  const { body } = operation as WriteOperation
  if (!body) return undefined
  const maker = recordMakers[resource.name]
  const valid = maker?.by?.[operationId] ?? maker?.fields
  const fields = valid ? await valid(tenant) : { [Object.keys(body.fields)[0]!]: 'Changed' }
  return inBody(body.root, fields)
}

/** The body for these fields: below its root, when it has one. */
export const inBody = (root: string | null, fields: Record<string, unknown>): Record<string, unknown> =>
  root === null ? fields : { [root]: fields }

/** Path and body of a request to an operation. */
interface Prepared {
  readonly path: string
  readonly body: Awaited<ReturnType<typeof bodyFor>>
}

/**
 * Makes the records that an operation needs, once: refused requests change nothing. After a request that was accepted, `forget` has them
 * made anew.
 */
export const preparing = (tenant: () => Tenant, route: Route) => {
  let made: Promise<Prepared> | undefined
  const make = async () => ({ path: await pathFor(tenant(), route), body: await bodyFor(tenant(), route) })
  return {
    prepared: () => {
      made ??= make()
      return made
    },
    forget: () => {
      made = undefined
    },
  }
}
