import type { FactReader } from '../../kernel/decide/command.ts'
import { getInTurns } from '../../kernel/ports/get-in-turns.ts'
import { isBlankText } from '../../kernel/values/comparable.ts'
import { dayIn, instantIn } from '../../kernel/values/instant.ts'
import { type Detail, Refusal } from '../../kernel/values/refusal.ts'
import { textOf } from '../../kernel/values/text-of.ts'
import { objectOf } from '../../resources/attributes/as-sent.ts'
import type { Criterion, CriterionValue, Proposed, RelativeDate } from './criterion.ts'
import { type Attribute, attributeOf, isKnown, RANGED, RELATIVE, VALUELESS } from './vocabulary.ts'

/** Rules that a filter is checked against: `open` allows what clients may author, `all` allows every condition. */
export type ConditionRules = 'open' | 'all'

/** Ids of existing records that options may name, by collection. */
export type OptionFacts = ReadonlyMap<string, ReadonlySet<number>>

const SUPPORT = 'See /api/v2/reference for the conditions that the public API supports'

const problem = (field: string, text: string, code = 'invalid'): Detail => ({
  field,
  code,
  message: `${field} ${text}`,
})

/** Returns one refusal that lists every violation and points to the description of the conditions. */
export const refuseAll = (details: readonly Detail[]): Refusal =>
  new Refusal('invalid', `${details.map(({ message }) => message).join('; ')}. ${SUPPORT}`, details)

/** Loads the ids of the named records that exist in the workspace. */
export const loadOptions = async (proposed: readonly Proposed[], read: FactReader): Promise<OptionFacts> => {
  const idsByCollection = new Map<string, Set<number>>()
  for (const { entry, ids } of proposed) {
    const collection = attributeOf(textOf(objectOf(entry).attribute))?.collection
    if (!collection) continue
    const known = idsByCollection.get(collection) ?? new Set()
    idsByCollection.set(collection, known)
    for (const id of ids) known.add(id)
  }
  const found = [...idsByCollection].map(async ([collection, ids]): Promise<[string, ReadonlySet<number>]> => {
    const documents = await getInTurns(read, collection, [...ids])
    return [collection, new Set(documents.flatMap((document) => (document ? [Number(document.id)] : [])))]
  })
  return new Map(await Promise.all(found))
}

/** Returns the UTC day of a date or date-time as `YYYY-MM-DD`, or `undefined` for any other value. */
const dayOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? (dayIn(value) ?? instantIn(value)?.slice(0, 10)) : undefined

type ValueResult = { readonly value: CriterionValue; readonly ids?: readonly number[] } | Detail

const relativeValue = (field: string, value: unknown): ValueResult => {
  const { days, modifier } = objectOf(value)
  const isCount = /^\d{1,6}$/.test(textOf(days))
  if (!isCount || (modifier !== 'ago' && modifier !== 'from_now')) {
    return problem(field, "must be an object with days (a whole number) and modifier ('ago' or 'from_now')")
  }
  return { value: { days: textOf(days), modifier } satisfies RelativeDate }
}

const dateValue = (field: string, clause: string, value: unknown): ValueResult => {
  if (RELATIVE.has(clause)) return relativeValue(field, value)
  if (RANGED.has(clause)) {
    if (!Array.isArray(value) || value.length !== 2) return problem(field, 'must be an array of exactly two dates')
    const wrong = value.find((one) => dayOf(one) === undefined)
    if (wrong !== undefined) return problem(field, `'${textOf(wrong)}' must be an ISO8601 date or datetime`)
    return { value: value.map((one) => dayOf(one)!) }
  }
  const day = dayOf(value)
  return day === undefined
    ? problem(field, `'${textOf(value ?? null)}' must be an ISO8601 date or datetime`)
    : { value: day }
}

/** Highest number of options in a condition. */
export const MOST_OPTIONS = 1000

const optionValue = (
  field: string,
  name: string,
  { collection, words }: Attribute,
  value: unknown,
  ids: readonly number[],
  facts: OptionFacts,
): ValueResult => {
  const values = (Array.isArray(value) ? value : [value]).filter(
    (one) => one !== undefined && one !== null && one !== '',
  )
  const areWords = values.every((one) => typeof one === 'string' || typeof one === 'number')
  if (values.length === 0 || !areWords)
    return problem(field, `must include a specific id for attribute '${name}'`, 'blank')
  if (values.length > MOST_OPTIONS) return problem(field, `has more than ${MOST_OPTIONS} ids`, 'too_many')
  const texts = [...new Set(values.map(String))]
  if (words) {
    const unknown = texts.filter((text) => !words.includes(text))
    return unknown.length === 0
      ? { value: texts }
      : problem(field, `'${unknown.join("', '")}' must be among: ${words.join(', ')}`, 'inclusion')
  }
  if (!collection) return { value: texts }
  const found = facts.get(collection)
  if (!ids.every((id) => found?.has(id))) return problem(field, 'contains ids not found in this workspace', 'not_found')
  return { value: texts, ids: [...new Set(ids)] }
}

const flagValue = (field: string, value: unknown): ValueResult => {
  const text = textOf(Array.isArray(value) && value.length === 1 ? value[0] : value)
  return text === 'true' || text === 'false' ? { value: [text] } : problem(field, 'must be true or false')
}

const MOST_TEXT = 255

/** Whether a value is a text of 1 to 255 characters that is not blank. Numbers count as texts. */
export const hasText = (value: unknown): value is string | number =>
  (typeof value === 'string' || typeof value === 'number') &&
  !isBlankText(String(value)) &&
  String(value).length <= MOST_TEXT

const textValue = (field: string, value: unknown): ValueResult => {
  if (hasText(value)) return { value: String(value) }
  const isText = typeof value === 'string' || typeof value === 'number'
  return problem(field, isText ? `must have 1 to ${MOST_TEXT} characters` : 'must be a string')
}

const readValue = (
  field: string,
  name: string,
  attribute: Attribute,
  clause: string,
  value: unknown,
  ids: readonly number[],
  facts: OptionFacts,
): ValueResult => {
  if (attribute.kind === 'date') return dateValue(field, clause, value)
  if (attribute.kind === 'option') return optionValue(field, name, attribute, value, ids, facts)
  return attribute.kind === 'flag' ? flagValue(field, value) : textValue(field, value)
}

const criterionOf = (
  { entry, ids, sealed }: Proposed,
  index: number,
  rules: ConditionRules,
  facts: OptionFacts,
): Criterion | Detail => {
  const at = `criteria[${index}]`
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    return { field: 'criteria', code: 'type', message: `${at} must be an object with attribute, clause and value` }
  }
  const { attribute: name, clause, value } = objectOf(entry)
  if (typeof name !== 'string' || name === '') return problem(`${at}.attribute`, "can't be blank", 'blank')
  const attribute = attributeOf(name)
  if (!attribute || (rules === 'open' && attribute.open.length === 0)) {
    const says = isKnown(name) ? 'is not supported by the public API' : 'is not a known attribute'
    return problem(`${at}.attribute`, `'${name}' ${says}`, 'inclusion')
  }
  const allowed = rules === 'open' ? attribute.open : attribute.clauses
  if (typeof clause !== 'string' || !allowed.includes(clause)) {
    return problem(`${at}.clause`, `'${textOf(clause)}' is not allowed for attribute '${name}'`, 'inclusion')
  }
  if (VALUELESS.has(clause)) return { attribute: name, clause }
  if (sealed) return { attribute: name, clause, sealed }
  const result = readValue(`${at}.value`, name, attribute, clause, value, ids, facts)
  return 'message' in result ? result : { attribute: name, clause, ...result }
}

/** Highest number of conditions in a filter. Each one is evaluated for every contact. */
export const MOST_CRITERIA = 200

/** Returns the valid conditions in their stored form, and every violation with its position. */
export const checkCriteria = (
  proposed: readonly Proposed[],
  rules: ConditionRules,
  facts: OptionFacts,
): { readonly criteria: readonly Criterion[]; readonly details: readonly Detail[] } => {
  if (proposed.length > MOST_CRITERIA) {
    const message = `criteria can be at most ${MOST_CRITERIA}, and are ${proposed.length}`
    return { criteria: [], details: [{ field: 'criteria', code: 'too_many', message }] }
  }
  const results = proposed.map((one, index) => criterionOf(one, index, rules, facts))
  const isDetail = (result: Criterion | Detail): result is Detail => 'message' in result && 'code' in result
  return {
    criteria: results.filter((result): result is Criterion => !isDetail(result)),
    details: results.filter(isDetail),
  }
}
