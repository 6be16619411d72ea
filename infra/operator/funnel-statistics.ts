import { readFunnelStats } from '../../domain/funnels/public.ts'
import { beside } from '../../domain/kernel/decide/bound-reader.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { momentIn } from '../../domain/kernel/values/instant.ts'
import type { PublicIds } from '../../domain/kernel/values/public-ids.ts'
import { Refusal, refuse } from '../../domain/kernel/values/refusal.ts'
import type { Resource } from '../../domain/resources/resource.ts'
import type { History } from '../../projections/history.ts'
import type { LiveLoaderDeps } from '../../projections/loading/live-loader.ts'
import { createLoader } from '../../projections/loading/live-loader.ts'
import { createPastLoader } from '../../projections/loading/past-loader.ts'

interface FunnelStatisticsDeps extends LiveLoaderDeps {
  readonly resources: ReadonlyMap<string, Resource>
  readonly history: History
  readonly publicIds: PublicIds
}

/** Shows the operator the statistics of funnels, as the API does. */
export interface FunnelStatistics {
  /** @throws {Refusal} not found, or malformed for a time that cannot be read */
  show(funnel: string, query: URLSearchParams): Promise<JsonObject>
}

export const funnelStatistics = (deps: FunnelStatisticsDeps): FunnelStatistics => ({
  async show(funnel, query) {
    const id = deps.publicIds.of('funnel').parse(funnel)
    const now = id === undefined ? undefined : await deps.everywhere.get('funnel', id)
    if (id === undefined || !now) throw refuse.notFound(`There is no funnel ${funnel}`)
    const sent = query.get('as_of')
    const asOf = sent === null ? undefined : momentIn(sent)
    if (sent !== null && asOf === undefined)
      throw refuse.malformed('as_of must be an ISO 8601 date-time', 'as_of', 'type')
    const load = asOf === undefined ? createLoader(deps, false) : createPastLoader(deps, { at: asOf }, false)
    const document = asOf === undefined ? now : await load.one('funnel', id)
    if (!document) throw refuse.notFound(`There was no funnel ${funnel} at ${asOf}`)
    const result = await readFunnelStats({
      ...{ document, query, load, read: beside(deps.everywhere, document), expand: new Set(['steps']) },
      at: new Date(deps.now(Number(now.workspace_id))).toISOString(),
      ...(asOf !== undefined && { asOf }),
    })
    if (result instanceof Refusal) throw result
    return result
  },
})
