import { ask } from '../kernel/decide/ask.ts'
import { recordOf } from '../kernel/model/fold.ts'
import type { Document } from '../kernel/ports/read-models.ts'
import { Refusal } from '../kernel/values/refusal.ts'
import type { AudienceFilters } from '../resources/jobs/audience.ts'
import { hiddenPersonalData } from '../resources/missing-scope.ts'
import { workspaceOf } from '../resources/workspace-of.ts'
import { selectionFor } from './criteria/evaluate.ts'
import { openFilter, sealProposed } from './criteria/sealing.ts'
import { refineFilter } from './refine-filter/model.ts'
import { type Proposal, refineFilters } from './refine-filter/rules.ts'
import { checkedProposal, contactFilterState, proposedBy, type TokenProposal } from './select.ts'

/** Contact filters for jobs that act on the matching contacts. */
export const contactFilters: AudienceFilters = {
  resource: refineFilter.name,
  stored: (document) => contactFilterState(recordOf(refineFilter)(document)),
  async proposed(token, input) {
    const proposal = proposedBy(token, input)
    if (proposal instanceof Refusal) return proposal
    const { read, vault } = input
    const criteria = await sealProposed(proposal.criteria, { workspaceId: workspaceOf(input), read, vault })
    // How many match, and who gets mail, would tell who has the value.
    const hidden = criteria.some(({ sealed }) => sealed) ? hiddenPersonalData(input.caller) : undefined
    return hidden ?? { ...proposal, criteria }
  },
  opened: openFilter,
  checked: checkedProposal,
  keep: (proposal, id) =>
    ask(refineFilters, id, 'create', {
      name: null,
      one_off: true,
      proposal: { ...proposal, rules: 'all' } satisfies Proposal,
    }),
  select: selectionFor,
}

/** Returns a proposal of a filter that has the conditions of a stored one. */
export const filterCopy = (stored: Document): TokenProposal => {
  const { conjunction, criteria } = recordOf(refineFilter)(stored)
  return {
    conjunction,
    criteria: criteria.map(({ ids = [], sealed, ...entry }) => ({ entry, ids, ...(sealed && { sealed }) })),
  }
}
