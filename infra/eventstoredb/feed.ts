import type { AllStreamRecordedEvent as Raw } from '@eventstore/db-client'
import type { Caller, Client } from './caller.ts'
import { ConnectionLost } from './failures.ts'
import { eventOf } from './wire/event.ts'
import type { ReadRequest, ReadResponse } from './wire/protocol.ts'
import { Pull } from './wire/pull.ts'

/** Events that the server scans between two signs of life while none of them matches. */
const CHECKPOINT_EVERY = 1000

/**
 * Events behind a position from all streams whose names match, for as long as one connection lasts. The server filters.
 */
export class Feed {
  readonly #pull: Pull<ReadResponse>
  #interrupted = false

  /** @param streams a regular expression that means the same in .NET and JavaScript */
  constructor({ connection }: Caller, client: Client, streams: string, after: number) {
    const reading = connection.read(client, requestOf(streams, after))
    this.#pull = new Pull(reading, async () => (await reading).cancel())
  }

  /**
   * Returns the next events; none when nothing arrives for a while or the feed has been interrupted. A server that scans a long stretch of
   * other events gives signs of life, and is waited for.
   *
   * @throws {Error} when the connection is lost and all events that came over it have been taken
   */
  async next(atMost: number, patienceMs: number): Promise<readonly Raw[]> {
    while (!this.#interrupted) {
      const responses = await this.#pull.next(atMost, patienceMs)
      if (responses.length === 0 && this.#pull.ended) throw new ConnectionLost('the server has ended the subscription')
      const events = responses.flatMap(({ event }) => (event?.event ? eventOf(event.event) : []))
      if (events.length > 0 || responses.length === 0) return events
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
