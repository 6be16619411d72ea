import type { Json, JsonObject } from '../../kernel/event.ts'
import { spelled } from '../../kernel/spelled.ts'
import { objectOf } from '../../kinds/as-sent.ts'
import { attributeOf } from './vocabulary.ts'

/** One condition on contacts, as it is stored and shown: options as texts, dates as days, relative dates as objects. */
export interface Criterion extends JsonObject {
  readonly attribute: string
  readonly clause: string
  /** Absent for clauses that need none. */
  readonly value?: CriterionValue
  /** The records that the options name. */
  readonly ids?: readonly number[]
}

export type CriterionValue = string | readonly string[] | RelativeDate

export interface RelativeDate extends JsonObject {
  readonly days: string
  readonly modifier: 'ago' | 'from_now'
}

export type Conjunction = 'and' | 'or'

/** Which contacts are meant. */
export interface FilterState extends JsonObject {
  readonly conjunction: Conjunction
  readonly criteria: readonly Criterion[]
}

/** A condition as it came from outside, with the ids that its values spell (0: spells none). */
export interface Proposed extends JsonObject {
  readonly entry: Json
  readonly ids: readonly number[]
}

/** Conditions as sent, each with the ids that its values spell; `undefined` when it is no list. */
export const proposedFrom = (
  sent: unknown,
  parseId: (value: unknown, kind: string) => number | undefined,
): readonly Proposed[] | undefined => {
  if (!Array.isArray(sent)) return undefined
  return sent.map((entry: Json) => {
    const { attribute, value } = objectOf(entry)
    const kind = attributeOf(spelled(attribute))?.collection ?? ''
    const values = Array.isArray(value) ? value : [value]
    return { entry, ids: values.map((one) => parseId(one, kind) ?? 0) }
  })
}

/** A condition as clients see it. */
export const presentCriterion = ({ attribute, clause, value }: Criterion): JsonObject => ({
  attribute,
  clause,
  ...(value !== undefined && { value }),
})
