import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { GroupCommit } from '../event-log/sqlite/group-commit.ts'
import type { Database, Statement } from '../sqlite/binding.ts'

/** Reads the table of checkpoints beside a log. */
export class StoredCheckpoints {
  readonly #all: Statement

  constructor(db: Database) {
    this.#all = db.prepare('SELECT reactor, position FROM checkpoint')
    this.#all.setReturnArrays(true)
  }

  all(): Map<string, number> {
    return new Map(this.#all.all() as [string, number][])
  }
}

/**
 * Checkpoints in a table beside the log. They ride with the next append instead of causing a flush of their own: what is lost
 * by a crash is repeated, which every reactor bears.
 */
export class SqliteCheckpoints implements Checkpoints {
  readonly #reached: Map<string, number>
  readonly #commit: GroupCommit
  /** Not yet in the table. */
  readonly #riding = new Set<string>()

  constructor(stored: StoredCheckpoints, commit: GroupCommit) {
    this.#reached = stored.all()
    this.#commit = commit
  }

  get(reactor: string): number {
    return this.#reached.get(reactor) ?? -1
  }

  all(): ReadonlyMap<string, number> {
    return this.#reached
  }

  async set(reactor: string, position: number): Promise<void> {
    this.#reached.set(reactor, position)
    if (!this.#riding.has(reactor)) this.#ride(reactor)
  }

  #ride(reactor: string): void {
    this.#riding.add(reactor)
    let position = -1
    this.#commit.ride({
      write: () => {
        position = this.get(reactor)
        return { kind: 'checkpoint', reactor, position }
      },
      written: () => {
        this.#riding.delete(reactor)
        // It has moved on while it was being written.
        if (position !== this.get(reactor)) this.#ride(reactor)
      },
    })
  }
}

/** The same where the log is elsewhere, so that there is nothing to ride with. */
export const checkpointsApart = (checkpoints: Checkpoints, commit: GroupCommit): Checkpoints => ({
  get: (reactor) => checkpoints.get(reactor),
  all: () => checkpoints.all(),
  async set(reactor, position) {
    await checkpoints.set(reactor, position)
    await commit.flush()
  },
})
