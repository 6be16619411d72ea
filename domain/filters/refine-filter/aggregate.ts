import type { Aggregate, Command, Decision, FactReader, Happened } from '../../kernel/decider.ts'
import type { Json } from '../../kernel/event.ts'
import { firstVersions } from '../../kernel/event-types.ts'
import { type Detail, refuse } from '../../kernel/refusal.ts'
import { checkCriteria, loadOptions, type OptionFacts, type Rules, refuseAll } from '../criteria/check.ts'
import type { Conjunction, Criterion, FilterState, Proposed } from '../criteria/criterion.ts'

/** The only class of filters that is authored here. */
export const CONTACTS = 'ContactsFilter'

/** Storage formats. */
export type RefineFilterEvent =
  | {
      readonly type: 'FilterSaved'
      readonly data: FilterState & { readonly name: string | null; readonly filter_class: string }
    }
  | { readonly type: 'FilterRenamed'; readonly data: { readonly name: string | null } }
  | { readonly type: 'FilterCriteriaReplaced'; readonly data: { readonly criteria: readonly Criterion[] } }
  | { readonly type: 'FilterRemoved'; readonly data: Record<string, never> }

/** What a client says of a filter; `undefined`: nothing. */
export interface FilterWish {
  readonly name?: string | null
  readonly filterClass?: Json
  readonly conjunction?: Json
  /** `null`: sent, but no list. */
  readonly criteria?: readonly Proposed[] | null
}

export type RefineFilterCommand = Command &
  (
    | { readonly type: 'SaveFilter'; readonly workspaceId: number; readonly rules: Rules; readonly wish: FilterWish }
    | { readonly type: 'ChangeFilter'; readonly wish: FilterWish }
    | { readonly type: 'RemoveFilter' }
  )

interface RefineFilterState {
  readonly status: 'absent' | 'present' | 'removed'
  readonly workspaceId: number
  readonly name: string | null
  readonly filterClass: string
  readonly conjunction: Conjunction
  readonly criteria: readonly Criterion[]
}

type Filter = Decision<RefineFilterEvent>

const initial: RefineFilterState = {
  status: 'absent',
  workspaceId: 0,
  name: null,
  filterClass: CONTACTS,
  conjunction: 'and',
  criteria: [],
}

const problem = (field: string, message: string, code = 'invalid'): Detail => ({ field, code, message })

/** What is wrong around the criteria. */
const frameProblems = ({ filterClass, conjunction }: FilterWish, rules: Rules): Detail[] => {
  const problems: Detail[] = []
  if (filterClass !== undefined && filterClass !== null && filterClass !== CONTACTS) {
    problems.push(
      problem('filter_class', `filter_class must be '${CONTACTS}' (only supported class in v1)`, 'inclusion'),
    )
  }
  if (
    conjunction !== undefined &&
    conjunction !== null &&
    conjunction !== 'and' &&
    (conjunction !== 'or' || rules === 'open')
  ) {
    const says =
      conjunction === 'or' ? "conjunction 'or' is not supported by the public API" : "conjunction must be 'and'"
    problems.push(problem('conjunction', says, 'inclusion'))
  }
  return problems
}

const EMPTY = problem('criteria', 'criteria must contain at least one entry', 'blank')

/** The criteria of a wish in their stored form with all that is wrong with the wish. */
const checkWish = (wish: FilterWish, rules: Rules, facts: OptionFacts) => {
  const frame = frameProblems(wish, rules)
  if (wish.criteria === null)
    return { criteria: [], details: [...frame, problem('criteria', 'criteria must be an array of objects', 'type')] }
  if (wish.criteria?.length === 0) return { criteria: [], details: [...frame, EMPTY] }
  const { criteria, details } = checkCriteria(wish.criteria ?? [], rules, facts)
  return { criteria, details: [...frame, ...details] }
}

const cleanName = (name: string | null | undefined): string | null => (name?.trim() ? name.trim() : null)

/** A single plain problem is said as it is; several, or one of a condition, with the pointer to where conditions are described. */
const refusal = (details: readonly Detail[]) => {
  const [first] = details
  return details.length === 1 && first === EMPTY ? refuse.invalidFields(details) : refuseAll(details)
}

const save = (
  state: RefineFilterState,
  command: Extract<RefineFilterCommand, { readonly type: 'SaveFilter' }>,
  facts: OptionFacts,
): Filter => {
  if (state.status !== 'absent') return []
  const { wish, rules } = command
  const { criteria, details } = checkWish(
    { ...wish, criteria: wish.criteria === undefined ? [] : wish.criteria },
    rules,
    facts,
  )
  if (details.length > 0) return refusal(details)
  const conjunction: Conjunction = wish.conjunction === 'or' ? 'or' : 'and'
  return [{ type: 'FilterSaved', data: { name: cleanName(wish.name), filter_class: CONTACTS, conjunction, criteria } }]
}

const change = (state: RefineFilterState, wish: FilterWish, facts: OptionFacts): Filter => {
  if (state.filterClass !== CONTACTS)
    return refuse.invalid('Only contact filters can be changed here', 'filter_class', 'read_only')
  const { criteria, details } = checkWish(wish, 'open', facts)
  if (details.length > 0) return refusal(details)
  const events: RefineFilterEvent[] = []
  const name = wish.name === undefined ? state.name : cleanName(wish.name)
  if (name !== state.name) events.push({ type: 'FilterRenamed', data: { name } })
  if (wish.criteria && JSON.stringify(criteria) !== JSON.stringify(state.criteria)) {
    events.push({ type: 'FilterCriteriaReplaced', data: { criteria } })
  }
  return events
}

const decide = (state: RefineFilterState, command: RefineFilterCommand, facts: OptionFacts): Filter => {
  if (command.type === 'SaveFilter') return save(state, command, facts)
  if (state.status !== 'present') return refuse.notFound()
  return command.type === 'ChangeFilter' ? change(state, command.wish, facts) : [{ type: 'FilterRemoved', data: {} }]
}

const evolve = (state: RefineFilterState, event: Happened<RefineFilterEvent>): RefineFilterState => {
  switch (event.type) {
    case 'FilterSaved': {
      const { name, filter_class: filterClass, conjunction, criteria } = event.data
      return {
        status: 'present',
        workspaceId: event.metadata.workspace_id ?? 0,
        name,
        filterClass,
        conjunction,
        criteria,
      }
    }
    case 'FilterRenamed':
      return { ...state, name: event.data.name }
    case 'FilterCriteriaReplaced':
      return { ...state, criteria: event.data.criteria }
    case 'FilterRemoved':
      return { ...state, status: 'removed' }
  }
}

const facts = async (
  command: RefineFilterCommand,
  read: FactReader,
  state: RefineFilterState,
): Promise<OptionFacts> => {
  if (command.type === 'RemoveFilter' || !command.wish.criteria) return new Map()
  const workspaceId = command.type === 'SaveFilter' ? command.workspaceId : state.workspaceId
  return loadOptions(command.wish.criteria, read, workspaceId)
}

/** A stored filter: which contacts are meant, for whoever refers to it. */
export const refineFilterAggregate: Aggregate<RefineFilterState, RefineFilterCommand, RefineFilterEvent, OptionFacts> =
  {
    name: 'refine_filter',
    initial,
    events: firstVersions<RefineFilterEvent['type']>(
      'FilterSaved',
      'FilterRenamed',
      'FilterCriteriaReplaced',
      'FilterRemoved',
    ),
    decide,
    evolve,
    facts,
    claims: ({ status, workspaceId, name }) =>
      status === 'present' && name !== null
        ? [
            {
              scope: `refine_filter.name:${workspaceId}`,
              value: name,
              field: 'name',
              says: 'Name has already been taken',
            },
          ]
        : [],
  }
