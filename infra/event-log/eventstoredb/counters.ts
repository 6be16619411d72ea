import { randomUUID } from 'node:crypto'
import { jsonEvent, type RecordedEvent as Raw } from '@eventstore/db-client'
import type { CounterAt, Counters } from '../../../domain/kernel/ports/counters.ts'
import { appendAt } from './appender.ts'
import { bookkeeping } from './bookkeeping.ts'
import type { Caller } from './caller.ts'
import { BOOKKEEPING } from './codec.ts'
import { lastOf } from './stream-reading.ts'

/** Begins the names of the streams of counters. */
const COUNTERS = `${BOOKKEEPING}counter-`

const counterIn = ({ data, streamId }: Raw): CounterAt => ({
  counter: streamId.slice(COUNTERS.length),
  value: (data as { readonly value: number }).value,
})

/** Counters as streams of their own; whoever comes second looks again. */
export class EventStoreCounters implements Counters {
  readonly #caller: Caller

  constructor(caller: Caller) {
    this.#caller = caller
  }

  async take(counter: string, count: number): Promise<number> {
    const value = await this.#move(counter, (at) => at + count)
    return value - count + 1
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

  async #move(counter: string, next: (value: number) => number): Promise<number> {
    const stream = COUNTERS + counter
    for (;;) {
      const last = await lastOf(this.#caller, stream)
      const at = last ? counterIn(last).value : 0
      const value = next(at)
      if (value === at) return at
      const event = jsonEvent({ id: randomUUID(), type: 'CounterMoved', data: { value } })
      const result = await appendAt(this.#caller, stream, Number(last?.revision ?? -1), [event], Date.now())
      if (result.ok) return value
    }
  }
}
