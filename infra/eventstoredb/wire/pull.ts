import type { Readable } from 'node:stream'
import { ConnectionLost } from '../failures.ts'

/** Most items that wait in memory for the consumer, besides those that the connection holds back. */
const MOST_WAITING = 1000

/** Takes items from a read at the pace of the consumer, so that the server sends no faster. */
export class Pull<T> {
  readonly #cancel: () => Promise<void>
  readonly #onItem = (item: T) => this.#put(item)
  #stream: Readable | undefined
  #waiting: T[] = []
  #failure: Error | undefined
  #ended = false
  #closed = false
  #wake: (happened?: boolean) => void = () => {}

  /**
   * @param stream the read, or a promise of it
   * @param cancel tells the server that the rest is not needed
   */
  constructor(stream: Readable | Promise<Readable>, cancel: () => Promise<void>) {
    this.#cancel = cancel
    if (stream instanceof Promise)
      stream.then(
        (opened) => this.#listen(opened),
        (error: Error) => this.#fail(error),
      )
    else this.#listen(stream)
  }

  /** Whether the read has ended and all its items have been taken. */
  get ended(): boolean {
    return this.#ended && this.#waiting.length === 0
  }

  /**
   * Returns the next items; none at the end, after an interruption, or when nothing arrives for a while.
   *
   * @throws {Error} when the read has failed and all earlier items have been taken
   */
  async next(atMost: number, patienceMs: number): Promise<readonly T[]> {
    let waits = true
    for (;;) {
      const items = this.#take(atMost)
      if (items.length > 0) return items
      if (this.#failure) throw this.#failure
      if (this.#ended || !waits) return items
      waits = await this.#arrival(patienceMs)
      // Items that arrive in this turn of the event loop are taken together.
      if (waits) await new Promise(setImmediate)
    }
  }

  interrupt(): void {
    this.#wake(false)
  }

  /**
   * Cancels the read. Items on their way are read and discarded, because the client keeps a list of reads that have not ended.
   */
  close(): void {
    this.#closed = true
    void this.#cancel().catch(() => {})
    this.#waiting = []
    this.#stream?.off('data', this.#onItem)
    this.#stream?.resume()
  }

  #listen(stream: Readable): void {
    this.#stream = stream
    // The listener for errors stays for good: an error without one would end the process. Items from before the error may still be on their way.
    stream.on('error', (error: Error) => void setImmediate(() => this.#fail(error)))
    stream.on('end', () => {
      this.#ended = true
      this.#wake()
    })
    if (this.#closed) stream.resume()
    else stream.on('data', this.#onItem)
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#wake()
  }

  #put(item: T): void {
    if (this.#waiting.push(item) >= MOST_WAITING) this.#stream?.pause()
    this.#wake()
  }

  #take(atMost: number): T[] {
    const items = this.#waiting.splice(0, atMost)
    if (this.#waiting.length < MOST_WAITING && this.#stream?.isPaused()) this.#stream.resume()
    return items
  }

  /** Waits until something happens to the read. @returns whether it has */
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

/** Read of the client. */
interface Read<T> extends Readable {
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<T>
  cancel(): Promise<void>
}

const CHUNK = 200

/**
 * Yields the items of a read, until the consumer stops.
 *
 * @throws {ConnectionLost} when nothing arrives for too long: reads of the client have no deadline
 */
export async function* drained<T>(read: Read<T>, silenceMs: number): AsyncGenerator<T> {
  const pull = new Pull<T>(read, () => read.cancel())
  try {
    while (!pull.ended) {
      const items = await pull.next(CHUNK, silenceMs)
      if (items.length === 0 && !pull.ended) throw new ConnectionLost(`no answer within ${silenceMs} ms`)
      yield* items
    }
  } finally {
    pull.close()
  }
}
