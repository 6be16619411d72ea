import {
  type AllStreamResolvedEvent,
  type AllStreamRecordedEvent as Raw,
  streamNameFilter,
} from '@eventstore/db-client'
import type { Client } from './caller.ts'
import { behind } from './codec.ts'
import { ContactLost } from './failures.ts'
import { Pull } from './pull.ts'

/** Events that may wait in memory for somebody to ask for them, besides what the connection holds back. */
const MOST_WAITING = 1000
/** Events that the server looks at between two signs of life while none of them is wanted. */
const CHECKPOINT_EVERY = 1000

/**
 * Everything in the log behind a position whose stream's name matches, for as long as one connection lasts. The server
 * filters.
 */
export class Feed {
  readonly #pull: Pull<AllStreamResolvedEvent>
  #alive = false
  #interrupted = false

  /** @param streams a regular expression that .NET and JavaScript read alike */
  constructor(client: Client, streams: string, after: number) {
    const checkpointReached = () => {
      this.#alive = true
    }
    const window = { maxSearchWindow: CHECKPOINT_EVERY, checkpointInterval: 1 }
    const filter = streamNameFilter({ regex: streams, ...window, checkpointReached })
    const subscription = client.subscribeToAll({ fromPosition: behind(after), filter }, { highWaterMark: MOST_WAITING })
    this.#pull = new Pull(subscription, () => subscription.unsubscribe())
  }

  /**
   * The next events; none when nothing comes for a while or the feed has been interrupted. A server that looks for them
   * over a long stretch of others says so and is waited for.
   *
   * @throws {Error} when the connection is lost and all that came over it has been taken
   */
  async next(atMost: number, patienceMs: number): Promise<readonly Raw[]> {
    do {
      this.#alive = false
      const resolved = await this.#pull.next(atMost, patienceMs)
      if (resolved.length === 0 && this.#pull.ended) throw new ContactLost('the server has ended the subscription')
      if (resolved.length > 0) return resolved.map(({ event }) => event).filter((event) => event !== undefined)
    } while (this.#alive && !this.#interrupted)
    return []
  }

  /** Stops waiting for events. */
  interrupt(): void {
    this.#interrupted = true
    this.#pull.interrupt()
  }

  close(): void {
    this.#pull.close()
  }
}
