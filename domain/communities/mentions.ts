import { LRUCache } from 'lru-cache'
import { idIn } from '../kernel/values/ids.ts'
import { type HtmlVisitor, readHtml, readHtmlInSlices } from '../resources/html/read.ts'

/** What mentions there are in HTML: whom they name, and the HTML without what they say. */
interface Mentions {
  readonly ids: readonly number[]
  readonly bare: string
}

/** Characters of texts with mentions that stay known. */
const KNOWN = 8_000_000

const known = new LRUCache<string, Mentions>({ maxSize: KNOWN })

/** Without it HTML has no mention, and need not be read. */
const ATTRIBUTE = /data-mention/i

const ignore = () => undefined

/** Returns the contact whom a mention names; `null`: it names none. */
const contactIn = (value: string): number | null => (/^\d{1,15}$/.test(value) ? idIn(Number(value)) : null)

/** Finds mentions in HTML that it visits. */
class Finder implements HtmlVisitor {
  readonly text = ignore
  readonly open = ignore
  readonly close = ignore
  readonly #html: string
  readonly #ids = new Set<number>()
  readonly #parts: string[] = []
  #end = 0

  constructor(html: string) {
    this.#html = html
  }

  mention(value: string, from: number): void {
    const id = contactIn(value)
    if (id !== null) this.#ids.add(id)
    this.#parts.push(this.#html.slice(this.#end, from), `<span data-mention="${id ?? ''}"></span>`)
  }

  mentionEnd(to: number): void {
    this.#end = to
  }

  found(): Mentions {
    const mentions = { ids: [...this.#ids], bare: this.#parts.join('') + this.#html.slice(this.#end) }
    known.set(this.#html, mentions, { size: this.#html.length + 1 })
    return mentions
  }
}

/** Returns the mentions in HTML as far as they are known without reading it. */
const knownIn = (html: string): Mentions | undefined =>
  ATTRIBUTE.test(html) ? known.get(html) : { ids: [], bare: html }

const mentionsOf = (html: string): Mentions => {
  const found = knownIn(html)
  if (found) return found
  const finder = new Finder(html)
  readHtml(html, finder)
  return finder.found()
}

/** Reads HTML for its mentions in several turns of the event loop. What is asked about it next takes no time. @returns whom it mentions, as `mentionsIn` does */
export const readMentions = async (html: string | null | undefined): Promise<readonly number[]> => {
  if (!html) return []
  const ready = knownIn(html)
  if (ready) return ready.ids
  const finder = new Finder(html)
  await readHtmlInSlices(html, finder)
  return finder.found().ids
}

/** Returns the contacts whom HTML mentions, each once, in their order. */
export const mentionsIn = (html: string | null): readonly number[] => mentionsOf(html ?? '').ids

/**
 * Leaves nothing of mentions in HTML but whom they name: `<span data-mention="12"></span>`. What the element says, wherever it ends, and its other attributes
 * would outlive an erasure. Nobody sees them: the name is filled in when the text is shown.
 */
export const withoutNames = (html: string): string => mentionsOf(html).bare
