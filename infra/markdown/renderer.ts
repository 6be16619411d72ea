import { LRUCache } from 'lru-cache'
import type { MarkdownToHtml } from '../../domain/kernel/ports/markdown.ts'
import { escapeHtml } from '../../domain/kernel/values/html.ts'
import { HTML_VERSION } from '../../domain/resources/html/safe-html.ts'
import { Thread } from '../sqlite/thread.ts'
import { renderMarkdown } from './render.ts'

/** Characters that take a few milliseconds at most, so that they are rendered at once. */
const AT_ONCE = 4096
/** Characters from which on a text waits in a lane of its own, so that shorter ones do not wait for it. */
const LONG = 65_536
const MOST_MS = 60_000
const MOST_MB = 512
const CACHED_BYTES = 32 * 2 ** 20
const BYTES_PER_CHARACTER = 2

interface LaneOptions {
  readonly mostMs: number
  /** Its thread ends after each text, and gives its memory back. */
  readonly isLong: boolean
}

/** Thread that renders one text at a time. */
class Lane {
  readonly #options: LaneOptions
  #thread: Thread<string, string> | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: LaneOptions) {
    this.#options = options
  }

  render(markdown: string): Promise<string> {
    const rendered = this.#last.then(() => this.#ask(markdown))
    this.#last = rendered
    return rendered
  }

  /** What cannot be rendered in time or memory is shown as it was written. */
  async #ask(markdown: string): Promise<string> {
    this.#thread ??= new Thread(new URL('./thread.js', import.meta.url), null, {
      resourceLimits: { maxOldGenerationSizeMb: MOST_MB },
    })
    const timer = setTimeout(() => this.#endThread(), this.#options.mostMs)
    try {
      return await this.#thread.ask(markdown)
    } catch {
      this.#endThread()
      return `<pre>${escapeHtml(markdown)}</pre>`
    } finally {
      clearTimeout(timer)
      if (this.#options.isLong) this.#endThread()
    }
  }

  #endThread(): void {
    this.#thread?.abort()
    this.#thread = undefined
  }
}

/** Returns a renderer of Markdown which holds the event loop for some milliseconds at most. What is longer is rendered by threads, and cached. */
export const markdownRenderer = ({ mostMs = MOST_MS }: { readonly mostMs?: number } = {}): MarkdownToHtml => {
  const short = new Lane({ mostMs, isLong: false })
  const long = new Lane({ mostMs, isLong: true })
  const cached = new LRUCache<string, Promise<string>>({ maxSize: CACHED_BYTES })
  return async (markdown) => {
    if (markdown.length <= AT_ONCE) return renderMarkdown(markdown)
    const key = `${HTML_VERSION} ${markdown}`
    const known = cached.get(key)
    if (known) return known
    const rendered = (markdown.length < LONG ? short : long).render(markdown)
    // Its own length is not known yet. HTML is about as long as what it is made of.
    cached.set(key, rendered, { size: 2 * BYTES_PER_CHARACTER * key.length })
    return rendered
  }
}
