import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { ReactorStore, StoreChange } from '../../domain/kernel/ports/reactor-store.ts'
import type { Reaction } from './reaction.ts'

/** From where on reactions take part. */
export interface Registered {
  /** Position up to which everything is done or written down. */
  readonly checkpoint: number
  /** Reactions that begin behind a position. */
  readonly since: ReadonlyMap<string, number>
  /** Where the books had got to, where that is further than the log goes: what followed from older events may be missing from it. */
  readonly ahead?: number
}

interface RegisterDeps {
  readonly reactorStore: ReactorStore
  /** Of the runners before there were books. */
  readonly checkpoints: Checkpoints
  readonly log: EventLog
}

/**
 * Writes down which reactions there are. One that is declared later begins at the end of the log, so that history does not happen again (design
 * 7), unless something else did before what it does; where there were no books, each without such a predecessor begins at the beginning. Books
 * that are ahead of the log, of which an older copy was restored, say nothing of it: everything is looked at once more, which changes nothing
 * that is there.
 */
export const register = async (
  { reactorStore, checkpoints, log }: RegisterDeps,
  reactions: readonly Reaction[],
): Promise<Registered> => {
  const written = await reactorStore.checkpoint()
  const ahead = written !== undefined && (await isAhead(log, written)) ? written : undefined
  const reached = ahead === undefined ? written : -1
  const end = ahead === undefined ? Number.POSITIVE_INFINITY : await log.lastPosition()
  const kept = await reactorStore.reactions()
  const known = new Map([...kept].map(([name, since]) => [name, Math.min(since, end)] as const))
  const formerly = await checkpoints.all()
  const begin = async ({ former }: Reaction): Promise<number> => {
    const before = former && formerly.get(former.checkpoint)
    if (before !== undefined) return former?.from === 'there' ? before : -1
    return reached === undefined ? -1 : log.lastPosition()
  }
  const begun = new Map<string, number>()
  for (const reaction of reactions) if (!known.has(reaction.name)) begun.set(reaction.name, await begin(reaction))
  const checkpoint = Math.min(reached ?? Number.POSITIVE_INFINITY, ...begun.values())
  // Those that were there go back to no event that they have left behind.
  const left = [...known].map(([name, since]) => [name, Math.max(since, reached ?? since)] as const)
  const since = new Map([...(checkpoint === reached ? known : left), ...begun])
  const entries = [...since].flatMap(([reaction, from]): StoreChange[] =>
    kept.get(reaction) === from ? [] : [{ reaction, since: from }],
  )
  if (entries.length > 0 || ahead !== undefined) await reactorStore.write(entries, checkpoint)
  return { checkpoint, since, ...(ahead !== undefined && { ahead }) }
}

/** Whether a position that something has got to is not in the log. */
const isAhead = async (log: EventLog, position: number): Promise<boolean> =>
  position > (await log.lastPosition()) && (await log.at(position)) === undefined
