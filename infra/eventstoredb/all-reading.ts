import { BACKWARDS, END, FORWARDS, type AllStreamRecordedEvent as Raw, type ReadPosition } from '@eventstore/db-client'
import type { ReadAllOptions } from '../../domain/kernel/ports/event-log.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { type AskOptions, type Caller, type Client, RetryState } from './caller.ts'
import { ConnectionLost } from './failures.ts'
import { Feed } from './feed.ts'
import { DOMAIN_STREAMS, positionOf, recorded } from './wire/codec.ts'
import { drained } from './wire/pull.ts'

const CHUNK = 1000
const FIRST_PORTION = 8
const GROWTH = 8
const NO_POSITION = /Unexpected ReadAllResult/

/** Reads the whole log, and remembers the last known position of an event of the domain. */
export class AllReader {
  readonly #caller: Caller
  #known = -1

  constructor(caller: Caller) {
    this.#caller = caller
  }

  /** Notes that an event of the domain is at this position. */
  saw(position: number): void {
    if (position > this.#known) this.#known = position
  }

  /**
   * Returns the position of the last event of the domain, or -1. Scans back from the end of the log over events that are not ours, but no
   * further than to an event that is known already.
   */
  async lastPosition(options?: AskOptions): Promise<number> {
    const known = this.#known
    const last = await this.#caller.ask((client) => this.#scanBack(client, known), options)
    this.saw(last)
    return last
  }

  /** Returns the event of the domain at this position, if there is one. */
  at(position: number): Promise<RecordedEvent | undefined> {
    const fromPosition = { commit: BigInt(position), prepare: BigInt(position) }
    return this.#caller.ask(async (client) => {
      const events = client.readAll({ direction: FORWARDS, fromPosition, maxCount: 1, requiresLeader: true })
      try {
        for await (const { event } of drained(events, this.#caller.options.attemptMs))
          if (event && positionOf(event) === position) return recorded(event)
      } catch (error) {
        // Positions are offsets: a read from between two of them fails.
        if (!NO_POSITION.test((error as Error).message)) throw error
      }
      return undefined
    })
  }

  /** Returns the last event of the domain, if there is any. */
  newest(): Promise<RecordedEvent | undefined> {
    return this.#caller.ask(async (client) => {
      for await (const raw of allBackwards(client, this.#caller.options.attemptMs)) {
        const event = recorded(raw)
        if (event) return event
      }
      return undefined
    })
  }

  /** Yields the events of the domain behind a position, up to the end that the log has when the reading begins. */
  async *readAll({ after = -1, limit = Number.POSITIVE_INFINITY }: ReadAllOptions): AsyncGenerator<RecordedEvent> {
    const end = await this.lastPosition()
    let position = after
    let left = limit
    const trouble = new RetryState(this.#caller)
    while (left > 0 && position < end) {
      const { client } = this.#caller.connection
      const feed = new Feed(this.#caller, client, DOMAIN_STREAMS, position)
      try {
        while (left > 0 && position < end) {
          for (const event of await this.#chunk(feed, Math.min(left, CHUNK))) {
            if (event.position <= position || event.position > end || left === 0) continue
            trouble.over()
            position = event.position
            left--
            yield event
          }
        }
      } catch (error) {
        const givenUp = await trouble.endure(error, client)
        if (givenUp) throw givenUp
      } finally {
        feed.close()
      }
    }
  }

  async #chunk(feed: Feed, atMost: number): Promise<readonly RecordedEvent[]> {
    const raw = await feed.next(atMost, this.#caller.options.attemptMs)
    if (raw.length === 0) throw new ConnectionLost('the server has stopped sending')
    return raw.map(recorded).filter((event) => event !== undefined)
  }

  async #scanBack(client: Client, known: number): Promise<number> {
    for await (const event of allBackwards(client, this.#caller.options.attemptMs)) {
      const position = positionOf(event)
      if (position <= known || recorded(event)) return position
    }
    return -1
  }
}

/** Reads the whole log backwards, in portions that grow: usually the first few events suffice. */
export async function* allBackwards(client: Client, silenceMs: number): AsyncGenerator<Raw> {
  let fromPosition: ReadPosition = END
  for (let maxCount = FIRST_PORTION; ; maxCount *= GROWTH) {
    let read = 0
    const events = client.readAll({ direction: BACKWARDS, fromPosition, maxCount, requiresLeader: true })
    for await (const { event } of drained(events, silenceMs)) {
      read++
      if (!event) continue
      fromPosition = event.position
      yield event
    }
    if (read < maxCount) return
  }
}
