import type { AllStreamRecordedEvent as Raw } from '@eventstore/db-client'
import type { Caller, Client } from './caller.ts'
import { ConnectionLost } from './failures.ts'
import { eventOf } from './wire/event.ts'
import type { ReadRequest, ReadResponse } from './wire/protocol.ts'
import { Pull } from './wire/pull.ts'

/** Events that the server looks at between two signs of life while none of them is wanted. */
const CHECKPOINT_EVERY = 1000

/**
 * Everything in the log behind a position whose stream's name matches, for as long as one connection lasts. The server
 * filters.
 */
export class Feed {
  readonly #pull: Pull<ReadResponse>
  #interrupted = false

  /** @param streams a regular expression that .NET and JavaScript read alike */
  constructor({ connection }: Caller, client: Client, streams: string, after: number) {
    const reading = connection.read(client, requestOf(streams, after))
    this.#pull = new Pull(reading, async () => (await reading).cancel())
  }

  /**
   * The next events; none when nothing comes for a while or the feed has been interrupted. A server that looks for them
   * over a long stretch of others says so and is waited for.
   *
   * @throws {Error} when the connection is lost and all that came over it has been taken
   */
  async next(atMost: number, patienceMs: number): Promise<readonly Raw[]> {
    while (!this.#interrupted) {
      const came = await this.#pull.next(atMost, patienceMs)
      if (came.length === 0 && this.#pull.ended) throw new ConnectionLost('the server has ended the subscription')
      const events = came.flatMap(({ event }) => (event?.event ? eventOf(event.event) : []))
      if (events.length > 0 || came.length === 0) return events
    }
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

function requestOf(streams: string, after: number): ReadRequest {
  return {
    options: {
      all: after < 0 ? { start: {} } : { position: { commit: after, prepare: after } },
      subscription: {},
      filter: { stream: { regex: streams }, max: CHECKPOINT_EVERY, checkpointEvery: 1 },
      uuids: { string: {} },
    },
  }
}
