import type { Books, Entry } from '../../domain/kernel/ports/books.ts'
import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { Reaction } from './reaction.ts'

/** From where on reactions take part. */
export interface Enrolled {
  /** Position up to which everything is done or written down. */
  readonly checkpoint: number
  /** Reactions that begin behind a position. */
  readonly since: ReadonlyMap<string, number>
}

interface Parts {
  readonly books: Books
  /** Of the runners before there were books. */
  readonly checkpoints: Checkpoints
  readonly log: EventLog
}

/**
 * Writes down which reactions there are. One that is declared later begins at the end of the log, so that history does not happen again (design
 * 7), unless something else did before what it does; where there were no books, each without such a predecessor begins at the beginning.
 */
export const enrol = async ({ books, checkpoints, log }: Parts, reactions: readonly Reaction[]): Promise<Enrolled> => {
  const known = await books.reactions()
  const reached = await books.checkpoint()
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
  const entries = [...since].flatMap(([reaction, from]): Entry[] =>
    known.get(reaction) === from ? [] : [{ reaction, since: from }],
  )
  if (entries.length > 0) await books.write(entries, checkpoint)
  return { checkpoint, since }
}
