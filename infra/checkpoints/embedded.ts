import type { Database } from 'lmdb'
import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { GroupCommit } from '../event-log/embedded/group-commit.ts'

/**
 * Checkpoints in a table beside the log. They ride with the next append instead of causing a flush of their own: what is lost
 * by a crash is repeated, which every reactor bears.
 */
export class EmbeddedCheckpoints implements Checkpoints {
  readonly #table: Database<number, string>
  readonly #commit: GroupCommit
  /** Not yet in the table. */
  readonly #riding = new Map<string, number>()

  /** @param table in the environment that `commit` writes to */
  constructor(table: Database<number, string>, commit: GroupCommit) {
    this.#table = table
    this.#commit = commit
  }

  get(reactor: string): number {
    return this.#riding.get(reactor) ?? this.#table.get(reactor) ?? -1
  }

  all(): ReadonlyMap<string, number> {
    const stored = [...this.#table.getRange()].map(({ key, value }) => [key, value] as const)
    return new Map([...stored, ...this.#riding])
  }

  async set(reactor: string, position: number): Promise<void> {
    const rides = this.#riding.has(reactor)
    this.#riding.set(reactor, position)
    if (rides) return
    let written = position
    this.#commit.ride({
      write: () => {
        written = this.#riding.get(reactor) ?? position
        this.#table.put(reactor, written)
      },
      written: () => {
        if (this.#riding.get(reactor) === written) this.#riding.delete(reactor)
        else void this.#again(reactor)
      },
    })
  }

  /** The checkpoint has moved on while it was being written. */
  #again(reactor: string): Promise<void> {
    const position = this.#riding.get(reactor) ?? -1
    this.#riding.delete(reactor)
    return this.set(reactor, position)
  }
}

/** The same where the log is elsewhere, so that there is nothing to ride with. */
export const checkpointsApart = (checkpoints: Checkpoints, commit: GroupCommit): Checkpoints => ({
  get: (reactor) => checkpoints.get(reactor),
  all: () => checkpoints.all(),
  async set(reactor, position) {
    await checkpoints.set(reactor, position)
    await commit.submit((write) => write(() => undefined))
  },
})
