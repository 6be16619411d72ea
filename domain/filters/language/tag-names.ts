import { comparable } from '../../kernel/values/comparable.ts'
import type { Cursor } from './words.ts'

/** Tag of a workspace. */
export interface NamedTag {
  readonly publicId: string
  readonly name: string
}

/** Names that begin with the same words, by the word that follows. */
interface Branch {
  readonly next: Map<string, Branch>
  publicId?: string
}

const branch = (): Branch => ({ next: new Map() })

/**
 * The names of tags, arranged so that finding one takes as many steps as it has words, however many tags there are. Names are compared without
 * regard to case and white space; of several that come to the same, the first counts.
 */
export class TagNames {
  readonly #root = branch()
  readonly #whole = new Map<string, string>()

  /** Adds tags to the names. */
  add(tags: readonly NamedTag[]): this {
    for (const { publicId, name } of tags) this.#add(comparable(name), publicId)
    return this
  }

  #add(name: string, publicId: string): void {
    if (!this.#whole.has(name)) this.#whole.set(name, publicId)
    let at = this.#root
    for (const word of name.split(/\s+/)) {
      const known = at.next.get(word) ?? branch()
      at.next.set(word, known)
      at = known
    }
    at.publicId ??= publicId
  }

  /** Returns the tag of a quoted name in lower case. */
  named(name: string): string | undefined {
    return this.#whole.get(name)
  }

  /** Passes over the longest name that comes next, and returns its tag. Quoted words are no part of a name. */
  take(cursor: Cursor): string | undefined {
    let found: { readonly publicId: string; readonly words: number } | undefined
    let at: Branch | undefined = this.#root
    for (let words = 0; ; words++) {
      if (at.publicId !== undefined) found = { publicId: at.publicId, words }
      const token = cursor.peek(words)
      at = token && !token.quoted ? at.next.get(token.word) : undefined
      if (!at) break
    }
    if (found) cursor.skip(found.words)
    return found?.publicId
  }
}
