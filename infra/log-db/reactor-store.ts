import type { ReactorStore, StoreChange } from '../../domain/kernel/ports/reactor-store.ts'
import { REACTOR } from '../reactor-store-limits.ts'
import type { Database } from '../sqlite/binding.ts'
import type { SqliteCheckpoints } from './checkpoints.ts'
import type { GroupCommit } from './group-commit.ts'
import { StoredTasks } from './stored-tasks.ts'

/** Estimated bytes of an entry in a batch. */
const ENTRY_BYTES = 300

/**
 * Reactor store in tables beside the log. Entries and the checkpoint that covers them are in one commit, which they share with the other writes of
 * the moment. A checkpoint without entries is written like the checkpoints of others.
 */
export class SqliteReactorStore extends StoredTasks implements ReactorStore {
  readonly #commit: GroupCommit
  readonly #checkpoints: SqliteCheckpoints

  constructor(db: Database, commit: GroupCommit, checkpoints: SqliteCheckpoints) {
    super(db)
    this.#commit = commit
    this.#checkpoints = checkpoints
  }

  async write(entries: readonly StoreChange[], position?: number): Promise<void> {
    if (entries.length === 0) {
      if (position !== undefined) await this.#checkpoints.set(REACTOR, position)
      return
    }
    const checkpoint =
      position === undefined ? undefined : ({ kind: 'checkpoint', reactor: REACTOR, position } as const)
    await this.#commit.submit({ kind: 'books', entries, checkpoint }, entries.length * ENTRY_BYTES)
    if (position !== undefined) this.#checkpoints.wrote(REACTOR, position)
  }

  checkpoint(): number | undefined {
    return this.#checkpoints.all().get(REACTOR)
  }
}
