import { decider } from '../../kernel/decide/decider.ts'
import { type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import type { Json } from '../../kernel/values/event.ts'
import { type Detail, refuse } from '../../kernel/values/refusal.ts'
import { nameTakenIn, refuseTakenName } from '../../resources/attributes/unique-name.ts'
import { isUsedByWorkflow } from '../../workflows/public.ts'
import { type ConditionRules, checkCriteria, loadOptions, type OptionFacts, refuseAll } from '../criteria/check.ts'
import type { Proposed } from '../criteria/criterion.ts'
import { CONTACTS, refineFilter } from './model.ts'

/** Unchecked content of a filter. */
export type Proposal = {
  readonly filter_class?: Json
  readonly conjunction?: Json
  /** `null`: sent, but not as a list. */
  readonly criteria?: readonly Proposed[] | null
  /** Rules to check the filter against; default `open`. */
  readonly rules?: ConditionRules
}

type Filter = DecisionContext<typeof refineFilter, { readonly proposal: Proposal }>

type Facts = { readonly options: OptionFacts; readonly isTaken: boolean; readonly isUsed: boolean }

const isNameTaken = nameTakenIn(refineFilter)

const loadFacts = async (filter: Filter, read: Reader): Promise<Facts> => ({
  options: await loadOptions(filter.wanted.proposal?.criteria ?? [], read.documents),
  isTaken: await isNameTaken(filter, read),
  isUsed:
    filter.before !== undefined && filter.act === 'remove' && (await isUsedByWorkflow('filter', filter.before, read)),
})

const setName = ({ wanted: { name } }: Filter, { isTaken }: Facts) =>
  name === undefined ? undefined : (refuseTakenName(name, isTaken) ?? { name: name?.trim() || null })

const problem = (field: string, message: string, code = 'invalid'): Detail => ({ field, code, message })

const EMPTY = problem('criteria', 'criteria must contain at least one entry', 'blank')

/** Returns the problems of a proposal outside its criteria. */
const frameProblems = ({ filter_class, conjunction, rules: ruleSet }: Proposal): readonly Detail[] => {
  const problems: Detail[] = []
  if ((filter_class ?? CONTACTS) !== CONTACTS) {
    const says = `filter_class must be '${CONTACTS}' (only supported class in v1)`
    problems.push(problem('filter_class', says, 'inclusion'))
  }
  const isOr = conjunction === 'or'
  if ((conjunction ?? 'and') !== 'and' && !(isOr && ruleSet === 'all')) {
    const says = isOr ? "conjunction 'or' is not supported by the public API" : "conjunction must be 'and'"
    problems.push(problem('conjunction', says, 'inclusion'))
  }
  return problems
}

/** Returns the criteria in their stored form and all problems of the proposal. */
const check = (proposal: Proposal, options: OptionFacts) => {
  const frame = frameProblems(proposal)
  const { criteria: sent = [], rules: ruleSet = 'open' } = proposal
  if (sent === null) {
    const says = 'criteria must be an array of objects'
    return { criteria: [], details: [...frame, problem('criteria', says, 'type')] }
  }
  if (sent.length === 0 && proposal.criteria) return { criteria: [], details: [...frame, EMPTY] }
  const { criteria, details } = checkCriteria(sent, ruleSet, options)
  return { criteria, details: [...frame, ...details] }
}

/** Returns the refusal of a proposal. All problems but a missing condition come with a pointer to the description of conditions. */
const refusal = (details: readonly Detail[]) =>
  details.length === 1 && details[0] === EMPTY ? refuse.invalidFields(details) : refuseAll(details)

const author = ({ before, wanted: { proposal = {} } }: Filter, { options }: Facts) => {
  if (before && before.filter_class !== CONTACTS)
    return refuse.invalid('Only contact filters can be changed here', 'filter_class', 'read_only')
  const { criteria, details } = check(before ? proposal : { criteria: [], ...proposal }, options)
  if (details.length > 0) return refusal(details)
  if (before) return proposal.criteria ? { criteria } : undefined
  return { criteria, conjunction: proposal.conjunction === 'or' ? ('or' as const) : ('and' as const) }
}

/** The rules of a stored filter. */
export const refineFilters = decider(refineFilter, {
  rules: rules(refineFilter, {
    loadFacts,
    save: [setName, author],
    preventRemoval: (_, { isUsed }) =>
      isUsed ? refuse.invalid('Filter is used by a workflow', 'base', 'in_use') : undefined,
  }),
})
