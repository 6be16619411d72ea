import { randomUUID } from 'node:crypto'
import { jsonEvent } from '@eventstore/db-client'
import { appendAt } from '../appender.ts'
import type { Caller } from '../caller.ts'
import { eventAt } from '../stream-reading.ts'
import { BOOKKEEPING } from '../wire/codec.ts'
import type { CommitPoint } from './record.ts'

/** Type of the event that fences a stream off. It is no event of the domain, because it lacks their metadata. */
const FENCE = `${BOOKKEEPING}fenced-off`

/**
 * Takes the place of the append that was to begin a stream, so that the append can never take place. The id of the stream is lost.
 *
 * @returns whether the append is decided now, by the fence or by the append itself
 */
export async function fenceOff(caller: Caller, { stream, revision }: CommitPoint): Promise<boolean> {
  const fence = jsonEvent({ id: randomUUID(), type: FENCE, data: {} })
  if ((await appendAt(caller, stream, -1, [fence])).ok) return true
  return (await eventAt(caller, stream, revision)) !== undefined || isFencedOff(caller, stream)
}

/** Whether a stream was to begin with an append that was fenced off. */
export async function isFencedOff(caller: Caller, stream: string): Promise<boolean> {
  return (await eventAt(caller, stream, 0))?.type === FENCE
}
