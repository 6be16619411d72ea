import { type Clock, workspaces } from '../../domain/account/public.ts'
import { type Ask, ask, stampCommand } from '../../domain/kernel/decide/ask.ts'
import type { Engine } from '../../domain/kernel/engine/engine.ts'
import { untilReadable } from '../../domain/kernel/engine/readable.ts'
import { workerActor } from '../../domain/kernel/engine/transaction.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { type QuietDeps, quiet } from './quiet.ts'

/** What is due of a workspace by timers. */
export interface DueTimers {
  /** Hands over what is due by the workspace's clock. @returns how many records */
  handOver(workspaceId: number): Promise<number>
  /** When something is due next, later than `time`; milliseconds since 1970, infinite when nothing is. */
  nextIn(workspaceId: number, time: number): Promise<number>
  /** Looks anew when something is due next: a clock runs on elsewhere than it did. */
  look(): void
}

/** The clocks of workspaces as this process knows them. */
export interface Clocks {
  of(workspaceId: number): Clock | undefined
  /** Tells of clocks that are being advanced, as they are heard of, and of those that already are. @returns what ends it */
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

/** Records what becomes of the clock of a workspace, at what it shows then. */
const record = async (deps: AdvanceDeps, asked: Ask, time: number) => {
  const { engine, live, clocks, reached } = deps
  const workspaceId = Number(asked.id)
  const document = await live.get(workspaces.name, workspaceId)
  const cause = `clock:${workspaceId}:${asked.command.type}:${time}`
  const result = await engine.transact({
    ...stampCommand(asked, { at: isoOf(time), actor: workerActor('clock') }),
    ...(typeof document?.team_id === 'number' && { teamId: document.team_id }),
    workspaceId,
    causationId: cause,
    correlationId: cause,
  })
  if (result instanceof Refusal) throw result
  await untilReadable(reached, result.position)
  await clocks.look(workspaceId)
}

const isoOf = (time: number): string => new Date(time).toISOString()

/** Lets everything happen that is due at the present instant, and what follows from it. */
const settle = async (deps: AdvanceDeps, workspaceId: number, isOver: () => boolean): Promise<void> => {
  do await quiet(deps, workspaceId, isOver)
  while (!isOver() && (await deps.timers.handOver(workspaceId)) > 0)
}

/**
 * Brings the clock of a workspace to its target: to one instant after the other at which something is due, each of which all that is
 * due happens at, stamped with it, before the next (design 7). Every instant is recorded, so that it goes on there after a kill.
 */
export const advance = async (deps: AdvanceDeps, workspaceId: number, isOver: () => boolean): Promise<void> => {
  const { timers, clocks, reactor, machine } = deps
  for (;;) {
    await settle(deps, workspaceId, isOver)
    const clock = clocks.of(workspaceId)
    if (isOver() || clock?.state !== 'advancing') return
    const { at, target } = clock
    const { due: owed = Number.POSITIVE_INFINITY } = reactor.waiting(workspaceId)
    const next = Math.min(await timers.nextIn(workspaceId, at), owed > at ? owed : Number.POSITIVE_INFINITY)
    if (next <= target) await record(deps, ask(workspaces, workspaceId, 'moveClock', { to: isoOf(next) }), next)
    else {
      await record(deps, ask(workspaces, workspaceId, 'letClockRun', { offset_ms: target - machine() }), target)
      timers.look()
    }
    reactor.wake()
  }
}
