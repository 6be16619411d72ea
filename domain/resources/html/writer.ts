import { beginningOf, VOID } from './elements.ts'

/** How many elements can be open in each other. Tags beyond that are left out. */
const DEEPEST = 64

const ESCAPED = [
  ['\0', ''],
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
] as const

/** Escapes the text of an element. Splitting is the fastest way for texts that consist of nothing else. */
const escaped = (text: string): string =>
  ESCAPED.reduce(
    (done, [character, entity]) => (done.includes(character) ? done.split(character).join(entity) : done),
    text,
  )

const JOINED_AT_ONCE = 4096

/** Writes HTML in which all elements end, so that what surrounds it stays as it is. */
export class Writer {
  readonly #open: string[] = []
  readonly #joined: string[] = []
  #pieces: string[] = []

  text(text: string): void {
    this.#write(escaped(text))
  }

  /** Begins an element, where it can stand. @param attributes as HTML */
  begin(name: string, attributes: string): void {
    const keeps = this.#keeps(name)
    if (keeps === undefined) return
    this.#endAbove(keeps)
    if (VOID.has(name)) this.#write(`<${name}${attributes}>`)
    else if (this.#open.length < DEEPEST) {
      this.#open.push(name)
      this.#write(`<${name}${attributes}>`)
    }
  }

  /** Ends the innermost open element with a name, and all in it. */
  end(name: string): void {
    const index = this.#open.lastIndexOf(name)
    if (index >= 0) this.#endAbove(index)
  }

  isOpen(name: string): boolean {
    return this.#open.includes(name)
  }

  /** Ends what is open, and returns the HTML. */
  finish(): string {
    this.#endAbove(0)
    return [...this.#joined, ...this.#pieces].join('')
  }

  /** Pieces are joined now and then, since joining all of them at the end would take long. */
  #write(piece: string): void {
    this.#pieces.push(piece)
    if (this.#pieces.length < JOINED_AT_ONCE) return
    this.#joined.push(this.#pieces.join(''))
    this.#pieces = []
  }

  /** Returns how many of the open elements stay open when another begins; `undefined`: it cannot begin here. */
  #keeps(name: string): number | undefined {
    const { inside, ends, until } = beginningOf(name) ?? {}
    if (!until) return this.#open.length
    let kept = this.#open.length
    for (let index = kept - 1; index >= 0; index--) {
      const other = this.#open[index]!
      if (inside?.has(other)) return index + 1
      if (ends?.has(other)) kept = index
      if (until.has(other)) break
    }
    return inside ? undefined : kept
  }

  #endAbove(count: number): void {
    while (this.#open.length > count) this.#write(`</${this.#open.pop()}>`)
  }
}
