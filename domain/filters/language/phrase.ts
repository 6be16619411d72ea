import type { Criterion } from '../criteria/criterion.ts'
import type { TagNames } from './tag-names.ts'
import type { Cursor } from './words.ts'

/** Names that a workspace gives to its own records. */
export interface Names {
  readonly tags: TagNames
}

/** One condition, or several with their own conjunction. */
export interface Phrase {
  readonly criteria: readonly Criterion[]
  readonly joined?: 'and' | 'or'
}

export type PhraseReader = (cursor: Cursor, names: Names) => Phrase | undefined

/** Returns a phrase of one condition. */
export const singleCondition = (criterion: Criterion): Phrase => ({ criteria: [criterion] })

/** Words that negate what follows; longer ones first. */
export const NOT = [
  "aren't",
  "isn't",
  "wasn't",
  "weren't",
  "haven't",
  "hasn't",
  "don't",
  "doesn't",
  "didn't",
  'are not',
  'is not',
  'was not',
  'were not',
  'have not',
  'has not',
  'had not',
  'do not',
  'does not',
  'did not',
  'not',
  'never',
]
