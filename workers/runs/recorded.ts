import { setTimeout as sleep } from 'node:timers/promises'
import { isJsonObject } from '../../domain/kernel/values/event.ts'
import { streamOf } from '../../domain/kernel/values/stream-name.ts'
import { run } from '../../domain/workflows/run/model.ts'
import { runs } from '../../domain/workflows/run/rules.ts'
import { type BatchTurn, type Outcome, STOPPED } from '../reactor/reaction.ts'
import type { RunsDeps } from './runs-deps.ts'

/** How long a task waits itself, and how long between its later tries. */
const LOOK_MS = 5
const LOOKS = 100
const AGAIN_MS = 1000
/** Later tries. A run that has recorded nothing by then is stuck, and what follows from it goes on without it. */
const TRIES = 60

type Deps = Pick<RunsDeps, 'engine' | 'log' | 'now'>

const hasRecorded = async ({ engine, log }: Deps, runId: number, position: number): Promise<boolean> => {
  if ((await engine.records(runs, runId, -1)).root(run)?.status !== 'active') return true
  for await (const last of log.readStream(streamOf(run, runId), { backwards: true, limit: 1 }))
    return last.position > position
  return true
}

/**
 * Waits until a run has recorded the step of which an event is an effect. Otherwise it would depend on the moment whether the run is over when what follows from
 * the event comes back to its workflow.
 *
 * @returns what becomes of the task if it has not come to that yet
 */
export const waitUntilRecorded = async (
  deps: Deps,
  turn: BatchTurn,
  { id, workspace_id }: { readonly id: number; readonly workspace_id?: number },
  position: number,
): Promise<Outcome | undefined> => {
  for (let look = 0; look < LOOKS; look++) {
    if (await hasRecorded(deps, id, position)) return undefined
    if (turn.stopping()) return STOPPED
    await sleep(LOOK_MS)
  }
  const stored = await turn.cursor()
  const waited = isJsonObject(stored) ? Number(stored.waited ?? 0) : 0
  if (waited >= TRIES) return undefined
  await turn.saveCursor({ waited: waited + 1 })
  return { came: 'early', notBefore: deps.now(workspace_id) + AGAIN_MS }
}
