import { ask } from '../../domain/kernel/decide/ask.ts'
import { isJsonObject, type RecordedEvent } from '../../domain/kernel/values/event.ts'
import { withIds } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { LOOKS_AROUND } from '../../domain/workflows/run/effects.ts'
import { run } from '../../domain/workflows/run/model.ts'
import { runs } from '../../domain/workflows/run/rules.ts'
import { pauseAfter } from '../reactor/attempt.ts'
import { type BatchTurn, DONE, inStreams, type Outcome, type Reaction, STOPPED } from '../reactor/reaction.ts'
import { isPassing } from '../retry-while-unavailable.ts'
import { carryOut } from './command.ts'
import type { RunsDeps } from './runs-deps.ts'
import { findStanding, type Standing } from './standing.ts'
import { recordPass, takeStep } from './steps.ts'

/** Runs of a workspace that go on at once, and of all. */
const GROUP_LIMIT = 256
const LIMIT_OF_ALL = 512
const TRIES = 10
/** Times that a step is tried before it has failed. */
const MOST_TRIES = 5

const triesAt = async (turn: BatchTurn, stepId: number): Promise<number> => {
  const stored = await turn.cursor()
  return isJsonObject(stored) && stored.step_id === stepId ? Number(stored.tries) : 0
}

/** Returns a time until which a run waits after an error, or `undefined` once the step has failed. A split is tried until a branch can be chosen. */
const againAt = async (turn: BatchTurn, { step }: Standing, now: number): Promise<number | undefined> => {
  const tries = (await triesAt(turn, step.id)) + 1
  if (tries >= MOST_TRIES && step.type !== 'conditional_split_step') return undefined
  await turn.saveCursor({ step_id: step.id, tries })
  return now + Math.round(pauseAfter(tries))
}

/** Takes a step. Records that it has failed when it cannot be done however often it is tried. @returns where the log is then, or that the run waits */
const attempt = async (
  deps: RunsDeps,
  event: RecordedEvent,
  standing: Standing,
  turn: BatchTurn,
): Promise<number | 'waits' | { readonly notBefore: number }> => {
  try {
    return await withIds(deps.ids, () => takeStep(deps, event, standing))
  } catch (error) {
    if (isPassing(error)) throw error
    const notBefore = await againAt(turn, standing, deps.now(standing.run.workspace_id))
    if (notBefore !== undefined) return { notBefore }
    const failed = { outcome: 'failed', reason: 'it could not be carried out' } as const
    return withIds(deps.ids, () => recordPass(deps, event, standing, failed))
  }
}

/** Returns the reaction that takes the steps of a run, one after the other, until it waits or is over. */
export const steppingReaction = (deps: RunsDeps): Reaction =>
  inStreams({
    name: 'runs',
    on: [run.event.RunStarted, run.event.RunResumed],
    group: ({ metadata }) => `runs:${metadata.workspace_id ?? 0}`,
    width: GROUP_LIMIT,
    limitOfAll: LIMIT_OF_ALL,
    maxAttempts: TRIES,
    async react(event, turn): Promise<Outcome> {
      const { id } = parseStream(event.stream)
      // What an earlier attempt did before a kill is somewhere up to the end of the log.
      let written: number | undefined
      for (;;) {
        if (turn.stopping()) return STOPPED
        const found = await findStanding(deps.engine, id, event.revision)
        if (found === 'nowhere') return DONE
        if ('over' in found) {
          const cancel = ask(runs, id, 'cancel', { reason: found.over })
          const result = await carryOut(deps, event, cancel, { key: `run:${id}:cancel` })
          if (result instanceof Refusal) throw result
          return DONE
        }
        if (LOOKS_AROUND.includes(found.step.type))
          await deps.seen({ position: written ?? (await deps.log.lastPosition()) })
        const result = await attempt(deps, event, found, turn)
        if (result === 'waits') return DONE
        if (typeof result !== 'number') return { came: 'early', notBefore: result.notBefore }
        written = Math.max(written ?? -1, result)
      }
    },
  })
