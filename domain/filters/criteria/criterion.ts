import type { Json, JsonObject } from '../../kernel/values/event.ts'
import { textOf } from '../../kernel/values/text-of.ts'
import { objectOf } from '../../resources/attributes/as-sent.ts'
import { attributeOf } from './vocabulary.ts'

/** One condition on contacts, as it is stored and shown: options as texts, dates as days, relative dates as objects. */
export interface Criterion extends JsonObject {
  readonly attribute: string
  readonly clause: string
  /** Absent for clauses that need none, and where it is sealed. */
  readonly value?: CriterionValue
  /** The value, where it is personal. Filters of versions up to 0.3 have it in the clear. */
  readonly sealed?: SealedValue
  /** The records that the options name. */
  readonly ids?: readonly number[]
}

/** `{value}` of a condition, sealed under a key of the vault. */
export interface SealedValue extends JsonObject {
  readonly text: string
  /** Whose the key is: see sealing.ts. */
  readonly of: number
}

export type CriterionValue = string | readonly string[] | RelativeDate

export interface RelativeDate extends JsonObject {
  readonly days: string
  readonly modifier: 'ago' | 'from_now'
}

export type Conjunction = 'and' | 'or'

/** From version 2 on, personal values are sealed. What stands in the clear in a log stays there, and is understood as it is. */
export const sealedSince = (data: JsonObject): JsonObject => data

/** Which contacts are meant. */
export interface FilterState extends JsonObject {
  readonly conjunction: Conjunction
  readonly criteria: readonly Criterion[]
}

/** A condition as it came from outside, with the ids that its values spell (0: spells none). */
export interface Proposed extends JsonObject {
  readonly entry: Json
  readonly ids: readonly number[]
  /** Its value, which is well-formed, where it is personal; the entry has none then. */
  readonly sealed?: SealedValue
}

/** Conditions as sent, each with the ids that its values spell; `undefined` when it is no list. */
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

/** An opened condition as clients see it. */
export const presentCriterion = ({ attribute, clause, value }: Criterion): JsonObject => ({
  attribute,
  clause,
  ...(value !== undefined && { value }),
})
