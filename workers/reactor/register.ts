import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { ReactorStore, StoreChange } from '../../domain/kernel/ports/reactor-store.ts'
import type { Reaction } from './reaction.ts'

/** Positions from which reactions take part. */
export interface Registered {
  /** Position up to which everything is done or written down. */
  readonly checkpoint: number
  /** Position after which each reaction takes part, by its name. */
  readonly since: ReadonlyMap<string, number>
  /** Stored checkpoint, where it is beyond the end of the log. The log may then lack what followed from older events. */
  readonly ahead?: number
}

interface RegisterDeps {
  readonly reactorStore: ReactorStore
  /** Checkpoints of the runners that existed before the reactor store. */
  readonly checkpoints: Checkpoints
  readonly log: EventLog
}

/**
 * Writes down which reactions there are, and returns where they begin. A reaction that is declared later begins at the end
 * of the log, so that it does not react to history. One that replaces a former runner begins at its checkpoint, or at the
 * beginning. In a new reactor store, all others begin at the beginning too. A reactor store that is ahead of the log, of
 * which an older copy was restored, cannot be relied on: everything is processed again, which changes nothing that is
 * there.
 */
export const register = async (
  { reactorStore, checkpoints, log }: RegisterDeps,
  reactions: readonly Reaction[],
): Promise<Registered> => {
  const stored = await reactorStore.checkpoint()
  const ahead = stored !== undefined && (await isAhead(log, stored)) ? stored : undefined
  const reached = ahead === undefined ? stored : -1
  const end = ahead === undefined ? Number.POSITIVE_INFINITY : await log.lastPosition()
  const registered = await reactorStore.reactions()
  const known = new Map([...registered].map(([name, since]) => [name, Math.min(since, end)] as const))
  const formerCheckpoints = await checkpoints.all()
  const begin = async ({ former }: Reaction): Promise<number> => {
    const before = former && formerCheckpoints.get(former.checkpoint)
    if (before !== undefined) return former?.from === 'there' ? before : -1
    return reached === undefined ? -1 : log.lastPosition()
  }
  const added = new Map<string, number>()
  for (const reaction of reactions) if (!known.has(reaction.name)) added.set(reaction.name, await begin(reaction))
  const checkpoint = Math.min(reached ?? Number.POSITIVE_INFINITY, ...added.values())
  // Known reactions do not go back to events that they have passed.
  const passed = [...known].map(([name, since]) => [name, Math.max(since, reached ?? since)] as const)
  const since = new Map([...(checkpoint === reached ? known : passed), ...added])
  const entries = [...since].flatMap(([reaction, from]): StoreChange[] =>
    registered.get(reaction) === from ? [] : [{ reaction, since: from }],
  )
  if (entries.length > 0 || ahead !== undefined) await reactorStore.write(entries, checkpoint)
  return { checkpoint, since, ...(ahead !== undefined && { ahead }) }
}

/** Whether a position is beyond the end of the log. */
const isAhead = async (log: EventLog, position: number): Promise<boolean> =>
  position > (await log.lastPosition()) && (await log.at(position)) === undefined
