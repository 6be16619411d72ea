import type { AllStreamRecordedEvent as Raw } from '@eventstore/db-client'
import { allBackwards } from './all-reading.ts'
import { type Caller, type Client, RetryState } from './caller.ts'
import { ConnectionLost } from './failures.ts'
import { Feed } from './feed.ts'
import { positionOf } from './wire/codec.ts'

const AT_ONCE = 16

/** Yields the events of the adapter's own streams with this prefix, a few at a time: those behind a position, up to the last when reading begins. */
export async function* bookkeeping(caller: Caller, prefix: string, after: number): AsyncGenerator<readonly Raw[]> {
  const end = await caller.ask((client) => lastOfAll(caller, client, prefix, after))
  const trouble = new RetryState(caller)
  for (let position = after; position < end; ) {
    const { client } = caller.connection
    const feed = new Feed(caller, client, `^${prefix}`, position)
    try {
      while (position < end) {
        const records = await feed.next(AT_ONCE, caller.options.attemptMs)
        if (records.length === 0) throw new ConnectionLost('the server has stopped sending')
        trouble.over()
        position = positionOf(records.at(-1)!)
        yield records
      }
    } catch (error) {
      const givenUp = await trouble.endure(error, client)
      if (givenUp) throw givenUp
    } finally {
      feed.close()
    }
  }
}

/** Position of the last record behind the given position, or -1. */
async function lastOfAll(caller: Caller, client: Client, prefix: string, after: number): Promise<number> {
  for await (const event of allBackwards(client, caller.options.attemptMs)) {
    const position = positionOf(event)
    if (position <= after) return -1
    if (event.streamId.startsWith(prefix)) return position
  }
  return -1
}
