import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { Database } from '../sqlite/binding.ts'
import type { GroupCommit } from './group-commit.ts'

/** Each of them costs every commit with which it rides. */
const RIDES_EVERY_MS = 100

/** What the table of checkpoints beside a log holds. */
export const storedCheckpoints = (db: Database): Map<string, number> => {
  const rows: { reactor: string; position: number }[] = db.prepare('SELECT reactor, position FROM checkpoint').all()
  return new Map(rows.map(({ reactor, position }) => [reactor, position]))
}

/**
 * Checkpoints in a table beside the log. They ride with an append, some times a second, instead of causing a flush of their own: what is lost
 * by a crash is repeated, which every reactor bears. Where the log is elsewhere there is nothing to ride with.
 */
export class SqliteCheckpoints implements Checkpoints {
  readonly #reached: Map<string, number>
  /** When each rode last, in milliseconds of the process. */
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

  /** Takes note of one that is on disk already, written with something else. */
  wrote(reactor: string, position: number): void {
    this.#reached.set(reactor, position)
    this.#rode.set(reactor, performance.now())
  }

  /** Lets all of them ride with what is written last. */
  rest(): void {
    for (const [reactor, position] of this.#reached) if (this.#rode.has(reactor)) this.#ride(reactor, position)
  }

  #ride(reactor: string, position: number): void {
    this.#commit.ride(`checkpoint ${reactor}`, { kind: 'checkpoint', reactor, position })
  }
}
