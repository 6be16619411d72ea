import type { Ask } from '../../domain/kernel/decide/ask.ts'
import { becauseOf, desk } from '../../domain/kernel/engine/desk.ts'
import { type Outcome, type Repeated, workerActor } from '../../domain/kernel/engine/transaction.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { Refusal } from '../../domain/kernel/values/refusal.ts'
import { derivedId } from '../derived-id.ts'
import { once } from '../once.ts'
import type { RunsDeps } from './runs-deps.ts'

const ACTOR = workerActor('runs')

/** Beginning of the correlation ids of what runs do. */
const OF_RUN = 'run:'

/** Returns the correlation id of what a run does, which everything that follows from it takes over. */
export const correlationOf = (runId: number): string => `${OF_RUN}${runId}`

/** Returns the run of which an event is a consequence; `undefined` for one that no run caused. */
export const runBehind = ({ metadata: { $correlationId: id } }: RecordedEvent): number | undefined => {
  const run = id.startsWith(OF_RUN) ? Number(id.slice(OF_RUN.length)) : Number.NaN
  return Number.isSafeInteger(run) ? run : undefined
}

interface Options {
  /** Key under which it is carried out once, however often it is tried; or one for each event. */
  readonly key: string | readonly string[]
  /** Run that does it; absent where it is no effect of a run. */
  readonly of?: number
}

/** Carries out a command that follows from an event, once. */
export const carryOut = (
  { engine, ids, now }: Pick<RunsDeps, 'engine' | 'ids' | 'now'>,
  event: RecordedEvent,
  asked: Ask,
  { key, of }: Options,
): Promise<Outcome | Repeated | Refusal> => {
  const at = new Date(now(event.metadata.workspace_id)).toISOString()
  const occasion = {
    ...becauseOf(event, { actor: ACTOR, at }),
    // What two steps do in the same millisecond are two writes, each of which is looked at.
    ...(of !== undefined && { correlation: correlationOf(of), cause: String(key) }),
  }
  return desk({ engine, ids })(occasion, asked, {
    claim: once(String(key)),
    ids: (index) => derivedId(...(typeof key === 'string' ? [key, index] : [key[index] ?? index])),
  })
}
