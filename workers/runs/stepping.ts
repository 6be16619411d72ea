import { ask } from '../../domain/kernel/decide/ask.ts'
import { isJsonObject, type RecordedEvent } from '../../domain/kernel/values/event.ts'
import { idIn, withIds } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { run } from '../../domain/workflows/run/model.ts'
import { runs } from '../../domain/workflows/run/rules.ts'
import { splittingOf, stepTypeOf } from '../../domain/workflows/steps/index.ts'
import { isOfCopy, OLDER_COPY } from '../older-copy.ts'
import { pauseAfter } from '../reactor/attempt.ts'
import { type BatchTurn, DONE, inStreams, type Outcome, type Reaction, STOPPED } from '../reactor/reaction.ts'
import { isPassing } from '../retry-while-unavailable.ts'
import { carryOut } from './command.ts'
import { Passes } from './passes.ts'
import { waitUntilRecorded } from './recorded.ts'
import type { RunsDeps } from './runs-deps.ts'
import { findStanding, type Standing } from './standing.ts'
import { needsRecord, notePass, takeStep } from './steps.ts'

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

/** Returns a time until which a run waits after an error, or `undefined` once the step has failed. A split may be tried until a branch can be chosen. */
const againAt = async (turn: BatchTurn, { step }: Standing, now: number): Promise<number | undefined> => {
  const tries = (await triesAt(turn, step.id)) + 1
  if (tries >= MOST_TRIES && !splittingOf(step.type)?.isTriedOn) return undefined
  await turn.saveCursor({ step_id: step.id, tries })
  return now + Math.round(pauseAfter(tries))
}

/** Takes a step of which the documents show what it did last, and waits until they show what it did now. */
const inTurn = async (deps: RunsDeps, passes: Passes, take: () => Promise<boolean>): Promise<boolean> => {
  const waits = await take()
  await passes.flush()
  await deps.seen({ position: passes.written })
  return waits
}

/** Takes a step. Notes that it has failed when it cannot be done however often it is tried. @returns whether the run waits, and for what */
const attempt = async (
  deps: RunsDeps,
  event: RecordedEvent,
  standing: Standing,
  passes: Passes,
  turn: BatchTurn,
): Promise<boolean | { readonly notBefore: number }> => {
  const { type, settings, id } = standing.step
  try {
    const take = () => withIds(deps.ids, () => takeStep(deps, event, standing, passes))
    return await (stepTypeOf(type).takesTurns?.(settings)
      ? deps.stepTurns(`${id}`, () => inTurn(deps, passes, take))
      : take())
  } catch (error) {
    if (isPassing(error)) throw error
    const notBefore = await againAt(turn, standing, deps.now(standing.run.workspace_id))
    if (notBefore !== undefined) return { notBefore }
    notePass(deps, standing, { outcome: 'failed', reason: 'it could not be carried out' }, passes)
    return false
  }
}

const cancel = async (deps: RunsDeps, event: RecordedEvent, id: number, reason: string): Promise<void> => {
  const result = await carryOut(deps, event, ask(runs, id, 'cancel', { reason }), { key: `run:${id}:cancel` })
  if (result instanceof Refusal) throw result
}

/** Takes the steps of a run until it waits or is over. What is not recorded at the end is left in `passes`. */
const takeSteps = async (deps: RunsDeps, event: RecordedEvent, passes: Passes, turn: BatchTurn): Promise<Outcome> => {
  const { id } = parseStream(event.stream)
  for (;;) {
    if (turn.stopping()) return STOPPED
    const found = await findStanding(deps, id, event.revision, passes.next)
    if (found === 'nowhere') return DONE
    if ('over' in found) {
      await passes.flush()
      await cancel(deps, event, id, found.over)
      return DONE
    }
    if (needsRecord(found, passes)) {
      await passes.flush()
      continue
    }
    // What an earlier attempt did before a kill is somewhere up to the end of the log.
    if (stepTypeOf(found.step.type).looksAround)
      await deps.seen({ position: passes.written < 0 ? await deps.log.lastPosition() : passes.written })
    const waits = await attempt(deps, event, found, passes, turn)
    if (waits === true) return DONE
    if (waits !== false) return { came: 'early', notBefore: waits.notBefore }
  }
}

/** Lets a run of an older copy wait for the operator's word. */
const hold = async (deps: RunsDeps, event: RecordedEvent): Promise<Outcome> => {
  const { id } = parseStream(event.stream)
  const asked = ask(runs, id, 'hold', { reason: OLDER_COPY })
  const result = await carryOut(deps, event, asked, { key: `run:${id}:hold:${event.position}` })
  if (result instanceof Refusal && result.kind !== 'notFound') throw result
  return DONE
}

/** Lets the run that moved its contact here end before this one begins. */
const waitForFormer = async (deps: RunsDeps, event: RecordedEvent, turn: BatchTurn): Promise<Outcome | undefined> => {
  const { event_id = null, from_run_id } = event.data
  const fromId = event.type === run.event.RunStarted.type ? idIn(from_run_id) : null
  const from = fromId === null ? undefined : (await deps.engine.records(runs, fromId, -1)).root(run)
  // A run that an event of the other has started has waited before.
  return from?.event_id === event_id ? waitUntilRecorded(deps, turn, from, event.position) : undefined
}

/** Returns the reaction that takes the steps of a run, one after the other, until it waits or is over. */
export const steppingReaction = (deps: RunsDeps): Reaction =>
  inStreams({
    name: 'runs',
    on: [run.event.RunStarted, run.event.RunResumed, run.event.RunReleased],
    group: ({ metadata }) => `runs:${metadata.workspace_id ?? 0}`,
    width: GROUP_LIMIT,
    limitOfAll: LIMIT_OF_ALL,
    maxAttempts: TRIES,
    async react(event, turn): Promise<Outcome> {
      if (isOfCopy(event, deps.olderCopy) || Number(event.data.event_id ?? Number.NaN) <= deps.olderCopy.upTo)
        return hold(deps, event)
      const waits = await waitForFormer(deps, event, turn)
      if (waits) return waits
      const passes = new Passes(deps, event, parseStream(event.stream).id)
      const outcome = await takeSteps(deps, event, passes, turn)
      await passes.flush()
      return outcome
    },
  })
