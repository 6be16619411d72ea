import { comparable } from '../../kernel/values/comparable.ts'

/** Token of a description: a word, a quoted text or a comma. */
export interface Token {
  /** Lower-cased, without the punctuation that ends sentences. */
  readonly word: string
  /** In its original spelling. */
  readonly text: string
  readonly quoted: boolean
}

const PIECE = /"([^"]*)"|“([^“”]*)”|'([^']*)'(?=[\s,.;]|$)|,|[^\s,"“”]+/g

/** Punctuation around a word. Each run of it is tried once. */
const AROUND = /^[([]+|(?<![)\].;:!?])[)\].;:!?]+$/g

/** Returns the tokens of a description in order. */
export const tokensOf = (description: string): readonly Token[] =>
  [...description.matchAll(PIECE)].flatMap(([whole, ...quotes]): readonly Token[] => {
    const inside = quotes.find((quote) => quote !== undefined)
    if (inside !== undefined) return [{ word: comparable(inside), text: inside.trim(), quoted: true }]
    const text = whole === ',' ? whole : whole.replace(AROUND, '')
    return text === '' ? [] : [{ word: comparable(text).replaceAll('’', "'"), text, quoted: false }]
  })

/** Words of the phrases that readers look for. There are a few hundred, all of them constants. */
const known = new Map<string, readonly string[]>()

const wordsOf = (phrase: string): readonly string[] => {
  const words = known.get(phrase) ?? phrase.split(' ')
  known.set(phrase, words)
  return words
}

/** Reads forward through tokens. A reader that finds nothing leaves the position unchanged. */
export class Cursor {
  readonly tokens: readonly Token[]
  at = 0

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  get done(): boolean {
    return this.at >= this.tokens.length
  }

  peek(ahead = 0): Token | undefined {
    return this.tokens[this.at + ahead]
  }

  next(): Token | undefined {
    const token = this.peek()
    if (token) this.at++
    return token
  }

  /** Passes over this number of tokens. */
  skip(count: number): void {
    this.at += count
  }

  /** Passes over the words of a phrase if they come next. Quoted words never match. */
  take(phrase: string): boolean {
    const words = wordsOf(phrase)
    if (!words.every((word, index) => this.peek(index)?.word === word && !this.peek(index)?.quoted)) return false
    this.at += words.length
    return true
  }

  /** Passes over the first of these phrases that comes next and returns it. Longer phrases must come first. */
  takeAny(phrases: readonly string[]): string | undefined {
    return phrases.find((phrase) => this.take(phrase))
  }

  /** Returns the result of a reader. When that is `undefined`, the position is restored. */
  try<T>(read: (cursor: Cursor) => T | undefined): T | undefined {
    const before = this.at
    const result = read(this)
    if (result === undefined) this.at = before
    return result
  }
}
