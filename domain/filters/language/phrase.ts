import type { Criterion } from '../criteria/criterion.ts'
import type { Cursor } from './words.ts'

/** Names that a workspace has for its own things. */
export interface Names {
  readonly tags: readonly { readonly publicId: string; readonly name: string }[]
}

/** One condition, or several that are joined by a word of their own. */
export interface Phrase {
  readonly criteria: readonly Criterion[]
  readonly joined?: 'and' | 'or'
}

export type Reader = (cursor: Cursor, names: Names) => Phrase | undefined

/** A phrase of one condition. */
export const one = (criterion: Criterion): Phrase => ({ criteria: [criterion] })

/** Words that deny what follows; longer ones first. */
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
