import { type Clock, workspaces } from '../../domain/account/public.ts'
import { type Ask, ask } from '../../domain/kernel/decide/ask.ts'
import { desk } from '../../domain/kernel/engine/desk.ts'
import type { Engine } from '../../domain/kernel/engine/engine.ts'
import { waitUntilReadableWithin } from '../../domain/kernel/engine/readable.ts'
import { workerActor } from '../../domain/kernel/engine/transaction.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { type QuietDeps, quiet } from './quiet.ts'

/** Due timers of a workspace. */
export interface DueTimers {
  /** Hands over what is due by the workspace's clock. @returns how many records */
  handOver(workspaceId: number): Promise<number>
  /** Returns when something is due next, after `time`; milliseconds since 1970, infinite when nothing is. */
  nextIn(workspaceId: number, time: number): Promise<number>
  /** Looks again for when something is due next, because a clock has been moved. */
  look(): void
}

/** The clocks of workspaces as this process knows them. */
export interface Clocks {
  of(workspaceId: number): Clock | undefined
  /** Calls a listener for each clock that is being advanced, now or later. @returns a function that removes the listener */
  onSent(listener: (workspaceId: number) => void): () => void
  /** Reads the clock of a workspace. */
  look(workspaceId: number): Promise<void>
}

export interface AdvanceDeps extends QuietDeps {
  readonly engine: Engine
  readonly live: ReadModels
  readonly timers: DueTimers
  readonly clocks: Clocks
  /** The clock of the machine. */
  readonly machine: () => number
}

/** Records a change of a workspace's clock, dated with the time that it shows then. */
const record = async (deps: AdvanceDeps, request: Ask, time: number) => {
  const { engine, live, clocks, reached } = deps
  const workspaceId = Number(request.id)
  const document = await live.get(workspaces.name, workspaceId)
  const cause = `clock:${workspaceId}:${request.command.type}:${time}`
  const teamId = typeof document?.team_id === 'number' ? document.team_id : undefined
  const occasion = { actor: workerActor('clock'), at: isoOf(time), cause, teamId, workspaceId }
  const result = await desk({ engine })(occasion, request)
  if (result instanceof Refusal) throw result
  await waitUntilReadableWithin(reached, result.position)
  await clocks.look(workspaceId)
}

const isoOf = (time: number): string => new Date(time).toISOString()

/** Runs everything that is due at the present instant, and everything that follows from it. */
const settle = async (deps: AdvanceDeps, workspaceId: number, isOver: () => boolean): Promise<void> => {
  do await quiet(deps, workspaceId, isOver)
  while (!isOver() && (await deps.timers.handOver(workspaceId)) > 0)
}

/**
 * Advances the clock of a workspace to its target. It stops at each instant at which something is due. Everything that is
 * due then is done, stamped with that instant, before the clock moves on. Each instant is recorded, so that advancing
 * continues there after a kill.
 */
export const advance = async (deps: AdvanceDeps, workspaceId: number, isOver: () => boolean): Promise<void> => {
  const { timers, clocks, reactor, machine } = deps
  for (;;) {
    await settle(deps, workspaceId, isOver)
    const clock = clocks.of(workspaceId)
    if (isOver() || clock?.state !== 'advancing') return
    const { at, target } = clock
    const { due: taskDue = Number.POSITIVE_INFINITY } = reactor.waiting(workspaceId)
    const next = Math.min(await timers.nextIn(workspaceId, at), taskDue > at ? taskDue : Number.POSITIVE_INFINITY)
    if (next <= target) await record(deps, ask(workspaces, workspaceId, 'moveClock', { to: isoOf(next) }), next)
    else {
      await record(deps, ask(workspaces, workspaceId, 'letClockRun', { offset_ms: target - machine() }), target)
      timers.look()
    }
    reactor.wake()
  }
}
