/** A piece of a description: a word, something in quotes, or a comma. */
export interface Token {
  /** Lower-cased, without the punctuation that ends sentences. */
  readonly word: string
  /** As it was written. */
  readonly text: string
  readonly quoted: boolean
}

const PIECE = /"([^"]*)"|“([^”]*)”|'([^']*)'(?=[\s,.;]|$)|,|[^\s,"“”]+/g

/** The pieces of a description in their order. */
export const tokensOf = (description: string): readonly Token[] =>
  [...description.matchAll(PIECE)].flatMap(([whole, ...quotes]): readonly Token[] => {
    const inside = quotes.find((quote) => quote !== undefined)
    if (inside !== undefined) return [{ word: inside.trim().toLowerCase(), text: inside.trim(), quoted: true }]
    const text = whole === ',' ? whole : whole.replace(/^[([]+|[)\].;:!?]+$/g, '')
    return text === '' ? [] : [{ word: text.toLowerCase().replaceAll('’', "'"), text, quoted: false }]
  })

/** Reads forward through tokens; every reader leaves the place alone when it finds nothing of its own. */
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

  /** Passes over these words, if they come next; words of a quotation are never meant. */
  take(phrase: string): boolean {
    const words = phrase.split(' ')
    if (!words.every((word, index) => this.peek(index)?.word === word && !this.peek(index)?.quoted)) return false
    this.at += words.length
    return true
  }

  /** The first of these phrases that comes next; longer ones belong first. */
  takeAny(phrases: readonly string[]): string | undefined {
    return phrases.find((phrase) => this.take(phrase))
  }

  /** What a reader gives, or `undefined` with the place as before. */
  try<T>(read: (cursor: Cursor) => T | undefined): T | undefined {
    const before = this.at
    const result = read(this)
    if (result === undefined) this.at = before
    return result
  }
}
