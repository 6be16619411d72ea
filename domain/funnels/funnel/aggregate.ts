import type { Aggregate, ClaimWanted } from '../../kernel/decider.ts'
import type { FunnelCommand } from './commands.ts'
import { decide } from './decide.ts'
import { type FunnelEvent, funnelEvents } from './events.ts'
import { type FunnelFacts, loadFacts } from './facts.ts'
import { evolve, type FunnelState, initial } from './state.ts'
import { pageNodes } from './tree.ts'

/** A page is shown by one step at most, of whatever funnel. */
const stepClaim = (pageId: number): ClaimWanted => ({
  scope: 'page.step',
  value: String(pageId),
  field: 'page_id',
  says: 'page_id is already used by another funnel step',
})

/** A funnel with its steps and splits, which share one stream because their order is its concern. */
export const funnelAggregate: Aggregate<FunnelState, FunnelCommand, FunnelEvent, FunnelFacts> = {
  name: 'funnel',
  initial,
  events: funnelEvents,
  decide,
  evolve,
  facts: loadFacts,
  claims: ({ tree }) => pageNodes(tree).map(({ page_id }) => stepClaim(page_id)),
}
