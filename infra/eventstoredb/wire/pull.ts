import type { Readable } from 'node:stream'
import { ConnectionLost } from '../failures.ts'

/** Items that may wait in memory for somebody to ask for them, besides what the connection holds back. */
const MOST_WAITING = 1000

/** Takes from a read at the pace of the consumer; the server is asked for no more than that. */
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
   * @param stream the read, or what will become of an attempt at one
   * @param cancel tells the server that the rest is not wanted
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

  /** Whether all has been taken. */
  get ended(): boolean {
    return this.#ended && this.#waiting.length === 0
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
      waits = await this.#arrival(patienceMs)
      // All that comes in this turn of the loop is taken together.
      if (waits) await new Promise(setImmediate)
    }
  }

  interrupt(): void {
    this.#wake(false)
  }

  /**
   * Takes its leave. What was on its way is read and thrown away: the client keeps a list of reads that have not ended.
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
    // The listener for errors stays for good: one that nobody listens to would end the process. What came before the error may still be under way.
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

  /** @returns whether something has happened to the read */
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
 * @throws {ConnectionLost} when nothing comes for too long: reads of the client have no deadline
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
