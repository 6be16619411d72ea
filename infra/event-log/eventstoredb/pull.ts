import type { Readable } from 'node:stream'
import { ContactLost } from './failures.ts'

/** Takes from a read of the client at the pace of the consumer; the server is asked for no more than that. */
export class Pull<T> {
  readonly #stream: Readable
  readonly #cancel: () => Promise<void>
  readonly #onReadable = () => this.#wake()
  #failure: Error | undefined
  #ended = false
  #wake: (happened?: boolean) => void = () => {}

  /** @param cancel tells the server that the rest is not wanted */
  constructor(stream: Readable, cancel: () => Promise<void>) {
    this.#stream = stream
    this.#cancel = cancel
    // The listener for errors stays for good: one that nobody listens to would end the process.
    stream.on('error', (error: Error) => {
      this.#failure ??= error
      this.#wake()
    })
    stream.on('end', () => {
      this.#ended = true
      this.#wake()
    })
    stream.on('readable', this.#onReadable)
  }

  /** Whether all has been taken. */
  get ended(): boolean {
    return this.#ended
  }

  /**
   * The next items; none at the end, after being interrupted, or when nothing comes for a while.
   *
   * @throws {Error} when the read has failed and all that came before has been taken
   */
  async next(atMost: number, patienceMs: number): Promise<readonly T[]> {
    let waits = true
    for (;;) {
      const items = this.#take(atMost)
      if (items.length > 0) return items
      if (this.#failure) throw this.#failure
      if (this.#ended || !waits) return items
      // The end makes the stream readable as well, with nothing to read: only a pause that nothing ended is a silence.
      waits = await this.#arrival(patienceMs)
    }
  }

  interrupt(): void {
    this.#wake(false)
  }

  /**
   * Takes its leave. What was on its way is read and thrown away: the client keeps a list of reads that have not ended.
   */
  close(): void {
    void this.#cancel().catch(() => {})
    this.#stream.off('readable', this.#onReadable)
    this.#stream.resume()
  }

  #take(atMost: number): T[] {
    const items: T[] = []
    while (items.length < atMost) {
      const item = this.#stream.read() as T | null
      if (item === null) break
      items.push(item)
    }
    return items
  }

  /** @returns whether something has happened to the stream */
  #arrival(patienceMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake(false), patienceMs)
      this.#wake = (happened = true) => {
        clearTimeout(timer)
        this.#wake = () => {}
        resolve(happened)
      }
    })
  }
}

/** What a read of the client can do besides. */
interface Read<T> extends Readable {
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<T>
  cancel(): Promise<void>
}

const CHUNK = 200

/**
 * All that a read gives, or less when the consumer leaves.
 *
 * @throws {ContactLost} when nothing comes for too long: reads of the client have no deadline
 */
export async function* drained<T>(read: Read<T>, silenceMs: number): AsyncGenerator<T> {
  const pull = new Pull<T>(read, () => read.cancel())
  try {
    while (!pull.ended) {
      const items = await pull.next(CHUNK, silenceMs)
      if (items.length === 0 && !pull.ended) throw new ContactLost(`no answer within ${silenceMs} ms`)
      yield* items
    }
  } finally {
    pull.close()
  }
}
