import { randomUUID } from 'node:crypto'
import { jsonEvent, type RecordedEvent as Raw } from '@eventstore/db-client'
import type { CounterAt, Counters } from '../../domain/kernel/ports/counters.ts'
import { callBatcher } from '../call-batcher.ts'
import { appendAt } from './appender.ts'
import { bookkeeping } from './bookkeeping.ts'
import type { Caller } from './caller.ts'
import { keepLast } from './last-only.ts'
import { lastOf } from './stream-reading.ts'
import { BOOKKEEPING } from './wire/codec.ts'

/** Prefix for the names of the streams of counters. */
const COUNTERS = `${BOOKKEEPING}counter-`

const counterIn = ({ data, streamId }: Raw): CounterAt => ({
  counter: streamId.slice(COUNTERS.length),
  value: (data as { readonly value: number }).value,
})

/** Counters, each in its own stream. A process that loses a race reads the counter again. */
export class EventStoreCounters implements Counters {
  readonly leased = true
  readonly #caller: Caller
  /** Counters as this process last moved them. This saves reads as long as no other process moves them. */
  readonly #known = new Map<string, { readonly revision: number; readonly value: number }>()
  /** Batcher of each counter. Requests that arrive while the counter is being moved share the next move. */
  readonly #taking = new Map<string, (count: number) => Promise<number>>()

  constructor(caller: Caller) {
    this.#caller = caller
  }

  take(counter: string, count: number): Promise<number> {
    const taking = this.#taking.get(counter) ?? callBatcher((counts) => this.#takeAll(counter, counts))
    this.#taking.set(counter, taking)
    return taking(count)
  }

  async raise(counter: string, value: number): Promise<void> {
    await this.#move(counter, (at) => Math.max(at, value))
  }

  async *all(): AsyncGenerator<CounterAt> {
    const last = new Map<string, number>()
    for await (const records of bookkeeping(this.#caller, COUNTERS, -1)) {
      for (const { counter, value } of records.map(counterIn)) last.set(counter, value)
    }
    for (const [counter, value] of last) yield { counter, value }
  }

  /** Takes numbers for several requests in one move. @returns the first number of each */
  async #takeAll(counter: string, counts: readonly number[]): Promise<readonly number[]> {
    const all = counts.reduce((sum, count) => sum + count, 0)
    let first = (await this.#move(counter, (at) => at + all)) - all + 1
    return counts.map((count) => {
      first += count
      return first - count
    })
  }

  async #move(counter: string, next: (value: number) => number): Promise<number> {
    const stream = COUNTERS + counter
    for (;;) {
      const { revision, value: at } = this.#known.get(counter) ?? (await this.#look(stream))
      const value = next(at)
      if (value === at) return at
      const event = jsonEvent({ id: randomUUID(), type: 'CounterMoved', data: { value } })
      // Two moves of this process must not begin at the same value.
      this.#known.delete(counter)
      const result = await appendAt(this.#caller, stream, revision, [event])
      if (!result.ok) continue
      if (result.revision === 0) await keepLast(this.#caller, stream)
      this.#known.set(counter, { revision: result.revision, value })
      return value
    }
  }

  async #look(stream: string): Promise<{ readonly revision: number; readonly value: number }> {
    const last = await lastOf(this.#caller, stream)
    return last ? { revision: Number(last.revision), value: counterIn(last).value } : { revision: -1, value: 0 }
  }
}
