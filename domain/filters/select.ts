import type { FactReader } from '../kernel/decide/command.ts'
import { readerOver } from '../kernel/decide/rules.ts'
import type { RecordOf } from '../kernel/model/model.ts'
import type { Json, JsonObject } from '../kernel/values/event.ts'
import { Refusal, refuse } from '../kernel/values/refusal.ts'
import { objectOf } from '../resources/attributes/as-sent.ts'
import type { SelectInput, Selector } from '../resources/operation.ts'
import { checkCriteria, loadOptions } from './criteria/check.ts'
import { type Conjunction, type FilterState, type Proposed, proposedFrom } from './criteria/criterion.ts'
import { selectionFor } from './criteria/evaluate.ts'
import { openFilter } from './criteria/sealing.ts'
import { CONTACTS, refineFilter } from './refine-filter/model.ts'

/** Returns the content of a filter token: the whole filter, so that the token means the same everywhere. */
export const tokenState = ({ conjunction, criteria }: FilterState): Json => ({
  filter_class: CONTACTS,
  conjunction,
  criteria,
})

const badToken = (why: string): Refusal => refuse.invalid(`stable_id ${why}`, 'stable_id', 'invalid')
const badFilter = (): Refusal =>
  refuse.invalid('stored_filter_id is invalid or does not belong to this workspace', 'stored_filter_id', 'not_found')

/** Content of a token before it is checked. */
export interface TokenProposal extends JsonObject {
  readonly conjunction: Conjunction
  readonly criteria: readonly Proposed[]
}

interface FlatFilter {
  readonly criteria: readonly unknown[]
  readonly conjunctions: ReadonlySet<string>
}

const MAX_GROUPS = 20

/** Flattens nested groups and collects their conjunctions; `undefined` for a malformed or too deeply nested state. */
const flatten = (state: unknown, depth = 0): FlatFilter | undefined => {
  const { conjunction = 'and', criteria } = objectOf(state)
  if (depth > MAX_GROUPS || !Array.isArray(criteria) || (conjunction !== 'and' && conjunction !== 'or'))
    return undefined
  const conjunctions = new Set<string>(criteria.length > 1 ? [String(conjunction)] : [])
  const flat: unknown[] = []
  for (const entry of criteria) {
    if (!('criteria' in objectOf(entry))) {
      flat.push(entry)
      continue
    }
    const inner = flatten(entry, depth + 1)
    if (!inner) return undefined
    flat.push(...inner.criteria)
    for (const word of inner.conjunctions) conjunctions.add(word)
  }
  return { criteria: flat, conjunctions }
}

/** Returns the filter in a token, or the refusal of an invalid token. Does not look up the records that the filter names. */
export const proposedBy = (
  token: string,
  { unpack, parseId }: Pick<SelectInput, 'unpack' | 'parseId'>,
): TokenProposal | Refusal => {
  const state = unpack(token)
  if (state === undefined) return badToken('is not a valid token')
  if (objectOf(state).filter_class !== CONTACTS) return badToken(`is not one of a ${CONTACTS}`)
  const flat = flatten(state)
  const criteria = flat && proposedFrom(flat.criteria, parseId)
  if (!flat || !criteria || criteria.length === 0) return badToken('is not a valid token')
  if (flat.conjunctions.size > 1) return badToken('mixes and with or')
  const conjunction: Conjunction = flat.conjunctions.has('or') ? 'or' : 'and'
  return { conjunction, criteria }
}

/** Checks the filter of a token against all rules and the records of the workspace. Refuses it with every violation. */
export const checkedProposal = async (
  { conjunction, criteria: proposed }: TokenProposal,
  read: FactReader,
): Promise<FilterState | Refusal> => {
  const { criteria, details } = checkCriteria(proposed, 'all', await loadOptions(proposed, read))
  if (details.length > 0) return badToken(`cannot be used here: ${details.map(({ message }) => message).join('; ')}`)
  return { conjunction, criteria }
}

const fromToken = async (token: string, input: SelectInput): Promise<FilterState | Refusal> => {
  const proposal = proposedBy(token, input)
  return proposal instanceof Refusal ? proposal : checkedProposal(proposal, input.read)
}

/** Returns the state of a stored filter. Refuses a filter that is not for contacts. */
export const contactFilterState = (filter: RecordOf<typeof refineFilter>): FilterState | Refusal => {
  const { filter_class, conjunction, criteria } = filter
  return filter_class === CONTACTS ? { conjunction, criteria } : badFilter()
}

const fromStored = async (sent: string, { parseId, read }: SelectInput): Promise<FilterState | Refusal> => {
  const filter = await readerOver(read).one(refineFilter, parseId(sent, refineFilter.name))
  return filter ? contactFilterState(filter) : badFilter()
}

/** Narrows a list of contacts by a stored filter or a token; the token wins when both are sent. */
export const contactSelector: Selector = {
  parameters: {
    stored_filter_id: 'Id of a stored contact filter of the workspace',
    stable_id: 'Token of a contact filter; wins over stored_filter_id',
  },
  async select({ stable_id: token, stored_filter_id: stored = '' }, input) {
    const state = await (token === undefined ? fromStored(stored, input) : fromToken(token, input))
    return 'criteria' in state ? selectionFor(await openFilter(state, input.open), input) : state
  },
}
