import type { ReactorStore, StoreChange } from '../../domain/kernel/ports/reactor-store.ts'
import { REACTOR } from '../reactor-store-limits.ts'
import type { Database } from '../sqlite/binding.ts'
import type { SqliteCheckpoints } from './checkpoints.ts'
import type { GroupCommit } from './group-commit.ts'
import { StoredTasks } from './stored-tasks.ts'

/** What an entry is reckoned at in a batch. */
const ENTRY_BYTES = 300

/**
 * The books in tables beside the log. Entries and the checkpoint that covers them are on disk together, in the commit of whatever else is
 * written at the moment; a checkpoint alone rides as those of others do.
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
