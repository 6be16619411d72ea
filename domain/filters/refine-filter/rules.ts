import { decider } from '../../kernel/decide/decider.ts'
import { type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import type { Json } from '../../kernel/values/event.ts'
import { type Detail, refuse } from '../../kernel/values/refusal.ts'
import { checkCriteria, loadOptions, type OptionFacts, type Rules, refuseAll } from '../criteria/check.ts'
import type { Proposed } from '../criteria/criterion.ts'
import { CONTACTS, refineFilter } from './model.ts'

/** What a client says of a filter, unchecked. */
export type Proposal = {
  readonly filter_class?: Json
  readonly conjunction?: Json
  /** `null`: sent, but no list. */
  readonly criteria?: readonly Proposed[] | null
  /** Whose rules it is held to. */
  readonly rules?: Rules
}

type Filter = DecisionContext<typeof refineFilter, { readonly proposal: Proposal }>

const loadFacts = ({ wanted: { proposal }, workspaceId }: Filter, { documents }: Reader): Promise<OptionFacts> =>
  loadOptions(proposal?.criteria ?? [], documents, workspaceId)

const cleanName = ({ wanted: { name } }: Filter) => (name === undefined ? undefined : { name: name?.trim() || null })

const problem = (field: string, message: string, code = 'invalid'): Detail => ({ field, code, message })

const EMPTY = problem('criteria', 'criteria must contain at least one entry', 'blank')

/** What is wrong around the criteria. */
const frameProblems = ({ filter_class, conjunction, rules: held }: Proposal): readonly Detail[] => {
  const problems: Detail[] = []
  if ((filter_class ?? CONTACTS) !== CONTACTS) {
    const says = `filter_class must be '${CONTACTS}' (only supported class in v1)`
    problems.push(problem('filter_class', says, 'inclusion'))
  }
  const isOr = conjunction === 'or'
  if ((conjunction ?? 'and') !== 'and' && !(isOr && held === 'all')) {
    const says = isOr ? "conjunction 'or' is not supported by the public API" : "conjunction must be 'and'"
    problems.push(problem('conjunction', says, 'inclusion'))
  }
  return problems
}

/** The criteria in their stored form, with all that is wrong with a proposal. */
const check = (proposal: Proposal, options: OptionFacts) => {
  const frame = frameProblems(proposal)
  const { criteria: sent = [], rules: held = 'open' } = proposal
  if (sent === null) {
    const says = 'criteria must be an array of objects'
    return { criteria: [], details: [...frame, problem('criteria', says, 'type')] }
  }
  if (sent.length === 0 && proposal.criteria) return { criteria: [], details: [...frame, EMPTY] }
  const { criteria, details } = checkCriteria(sent, held, options)
  return { criteria, details: [...frame, ...details] }
}

/** That there is no condition is said as it is; everything else with the pointer to where conditions are described. */
const refusal = (details: readonly Detail[]) =>
  details.length === 1 && details[0] === EMPTY ? refuse.invalidFields(details) : refuseAll(details)

const author = ({ before, wanted: { proposal = {} } }: Filter, options: OptionFacts) => {
  if (before && before.filter_class !== CONTACTS)
    return refuse.invalid('Only contact filters can be changed here', 'filter_class', 'read_only')
  const { criteria, details } = check(before ? proposal : { criteria: [], ...proposal }, options)
  if (details.length > 0) return refusal(details)
  if (before) return proposal.criteria ? { criteria } : undefined
  return { criteria, conjunction: proposal.conjunction === 'or' ? ('or' as const) : ('and' as const) }
}

/** The rules of a stored filter. */
export const refineFilters = decider(refineFilter, {
  rules: rules(refineFilter, { loadFacts, save: [cleanName, author] }),
})
