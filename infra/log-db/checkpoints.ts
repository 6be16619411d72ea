import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { Database } from '../sqlite/binding.ts'
import type { GroupCommit } from './group-commit.ts'

/** Shortest interval between two writes of one checkpoint, because each write makes the commit that carries it slower. */
const RIDES_EVERY_MS = 100

/** Reads the checkpoints stored beside a log. */
export const storedCheckpoints = (db: Database): Map<string, number> => {
  const rows: { reactor: string; position: number }[] = db.prepare('SELECT reactor, position FROM checkpoint').all()
  return new Map(rows.map(({ reactor, position }) => [reactor, position]))
}

/**
 * Checkpoints in a table beside the log. They are written together with appends, at most ten times a second each, and cause no flush of their own.
 * After a crash, work behind the last stored checkpoint is repeated, which every reactor tolerates. Where the log is elsewhere, there are no
 * appends here, and each checkpoint is flushed.
 */
export class SqliteCheckpoints implements Checkpoints {
  readonly #reached: Map<string, number>
  /** Time at which each was last sent along, in milliseconds of the process. */
  readonly #rode = new Map<string, number>()
  readonly #commit: GroupCommit
  readonly #isApart: boolean

  /** @param isApart whether the log is elsewhere */
  constructor(db: Database, commit: GroupCommit, isApart: boolean) {
    this.#reached = storedCheckpoints(db)
    this.#commit = commit
    this.#isApart = isApart
  }

  get(reactor: string): number {
    return this.#reached.get(reactor) ?? -1
  }

  all(): ReadonlyMap<string, number> {
    return this.#reached
  }

  async set(reactor: string, position: number): Promise<void> {
    this.#reached.set(reactor, position)
    const now = performance.now()
    if (!this.#isApart && now < (this.#rode.get(reactor) ?? Number.NEGATIVE_INFINITY) + RIDES_EVERY_MS) return
    this.#rode.set(reactor, now)
    this.#ride(reactor, position)
    if (this.#isApart) await this.#commit.flush()
  }

  /** Notes a checkpoint that is on disk already, written with other data. */
  wrote(reactor: string, position: number): void {
    this.#reached.set(reactor, position)
    this.#rode.set(reactor, performance.now())
  }

  /** Sends all checkpoints along with the last write. */
  flushAll(): void {
    for (const [reactor, position] of this.#reached) if (this.#rode.has(reactor)) this.#ride(reactor, position)
  }

  #ride(reactor: string, position: number): void {
    this.#commit.ride(`checkpoint ${reactor}`, { kind: 'checkpoint', reactor, position })
  }
}
