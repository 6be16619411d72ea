import type { Json, JsonObject } from '../../kernel/values/event.ts'
import { textOf } from '../../kernel/values/text-of.ts'
import { objectOf } from '../../resources/attributes/as-sent.ts'
import { attributeOf } from './vocabulary.ts'

/** Condition on contacts, as stored and shown: options as texts, dates as days, relative dates as objects. */
export interface Criterion extends JsonObject {
  readonly attribute: string
  readonly clause: string
  /** Absent for clauses without a value, and when the value is sealed. */
  readonly value?: CriterionValue
  /** Personal value. Filters of versions up to 0.3 hold it in the clear, in `value`. */
  readonly sealed?: SealedValue
  /** Ids of the records that the options name. */
  readonly ids?: readonly number[]
}

/** `{value}` of a condition, sealed under a key of the vault. */
export interface SealedValue extends JsonObject {
  readonly text: string
  /** Key that seals the value, which is that of a contact or workspace: see sealing.ts. */
  readonly of: number
}

export type CriterionValue = string | readonly string[] | RelativeDate

export interface RelativeDate extends JsonObject {
  readonly days: string
  readonly modifier: 'ago' | 'from_now'
}

export type Conjunction = 'and' | 'or'

/** Upcaster to version 2, from which on personal values are sealed. Values that older events hold in the clear stay in the log and are read as they are. */
export const upcastToSealed = (data: JsonObject): JsonObject => data

/** Conditions of a filter and the word that joins them. */
export interface FilterState extends JsonObject {
  readonly conjunction: Conjunction
  readonly criteria: readonly Criterion[]
}

/** Unchecked condition from a client, with the ids that its values spell (0: no id). */
export interface Proposed extends JsonObject {
  readonly entry: Json
  readonly ids: readonly number[]
  /** Its value, when that is personal and well-formed. The entry then has none. */
  readonly sealed?: SealedValue
}

/** Returns the sent conditions, each with the ids that its values spell, or `undefined` when `sent` is no list. */
export const proposedFrom = (
  sent: unknown,
  parseId: (value: unknown, kind: string) => number | undefined,
): readonly Proposed[] | undefined => {
  if (!Array.isArray(sent)) return undefined
  return sent.map((entry: Json) => {
    const { attribute, value } = objectOf(entry)
    const kind = attributeOf(textOf(attribute))?.collection ?? ''
    const values = Array.isArray(value) ? value : [value]
    return { entry, ids: values.map((one) => parseId(one, kind) ?? 0) }
  })
}

/** Returns an opened condition as clients see it. */
export const presentCriterion = ({ attribute, clause, value }: Criterion): JsonObject => ({
  attribute,
  clause,
  ...(value !== undefined && { value }),
})
