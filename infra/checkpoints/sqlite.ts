import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { GroupCommit } from '../event-log/sqlite/group-commit.ts'
import type { Database } from '../sqlite/binding.ts'

/** What the table of checkpoints beside a log holds. */
export const storedCheckpoints = (db: Database): Map<string, number> => {
  const rows: { reactor: string; position: number }[] = db.prepare('SELECT reactor, position FROM checkpoint').all()
  return new Map(rows.map(({ reactor, position }) => [reactor, position]))
}

/**
 * Checkpoints in a table beside the log. They ride with the next append instead of causing a flush of their own: what is lost
 * by a crash is repeated, which every reactor bears. Where the log is elsewhere there is nothing to ride with.
 */
export class SqliteCheckpoints implements Checkpoints {
  readonly #reached: Map<string, number>
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
    this.#commit.ride(`checkpoint ${reactor}`, { kind: 'checkpoint', reactor, position })
    if (this.#isApart) await this.#commit.flush()
  }
}
