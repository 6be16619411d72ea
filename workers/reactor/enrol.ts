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
 * 7); where there were no books, each goes on behind the checkpoint that it had, and without one at the beginning.
 */
export const enrol = async ({ books, checkpoints, log }: Parts, reactions: readonly Reaction[]): Promise<Enrolled> => {
  const known = await books.reactions()
  const reached = await books.checkpoint()
  const since = new Map(known)
  const entries: Entry[] = []
  for (const { name, former } of reactions) {
    if (known.has(name)) continue
    const from = reached === undefined ? await formerly(checkpoints, former) : await log.lastPosition()
    since.set(name, from)
    entries.push({ reaction: name, since: from })
  }
  const checkpoint = reached ?? Math.min(...since.values())
  if (entries.length > 0) await books.write(entries, checkpoint)
  return { checkpoint, since }
}

const formerly = async (checkpoints: Checkpoints, former: string | undefined): Promise<number> =>
  former === undefined ? -1 : await checkpoints.get(former)
