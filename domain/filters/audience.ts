import { recordOf } from '../kernel/fold.ts'
import type { AudienceFilters } from '../kinds/audience.ts'
import { selectionFor } from './criteria/evaluate.ts'
import { refineFilter } from './refine-filter/model.ts'
import { type Proposal, refineFilters } from './refine-filter/rules.ts'
import { checkedProposal, proposedBy, usable } from './select.ts'

/** Contact filters, for jobs on the contacts that meet one. */
export const contactFilters: AudienceFilters = {
  resource: refineFilter.name,
  stored: (document) => usable(recordOf(refineFilter)(document)),
  proposed: proposedBy,
  checked: checkedProposal,
  keep(proposal, id, { workspaceId, at, actor }) {
    const wanted = { name: null, one_off: true, proposal: { ...proposal, rules: 'all' } satisfies Proposal }
    return {
      aggregate: refineFilters,
      id,
      command: { type: 'create', id, ...(workspaceId !== undefined && { workspaceId }), wanted, at, actor },
    }
  },
  select: selectionFor,
}
