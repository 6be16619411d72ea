import type { EventLog } from '../domain/kernel/ports/event-log.ts'
import type { Document, ReadModels } from '../domain/kernel/ports/read-models.ts'
import { inStretches } from '../domain/kernel/ports/read-on.ts'
import type { RecordedEvent } from '../domain/kernel/values/event.ts'
import type { MaybePromise } from '../domain/kernel/values/maybe-promise.ts'
import { parseStream } from '../domain/kernel/values/stream-name.ts'

const PAGE = 1000

/** Dependencies of following records. */
export interface FollowingDeps {
  readonly live: ReadModels
  readonly log: EventLog
  /** Waits until the documents are at least as new as a position. @throws {Refusal} unavailable, when that takes too long */
  readonly seen: (at: { readonly position: number }) => Promise<void>
}

/** What is done with the records that are followed. */
export interface Follower {
  /** Takes a record as it is now; `undefined`: it was removed. */
  put(id: number, document: Document | undefined): MaybePromise<void>
  /** Called after a record was put because an event changed it. */
  changed?(id: number, document: Document | undefined): void
}

/** Follows all records of a root resource: it reads each once, and again after each event that changed it. */
export class FollowedRecords {
  readonly #deps: FollowingDeps
  readonly #collection: string
  readonly #follower: Follower
  /** Records that have changed since they were read, with the position of the change. */
  readonly #changed = new Map<number, number>()
  #isLoaded = false
  #reading: Promise<void> | undefined

  constructor(deps: FollowingDeps, collection: string, follower: Follower) {
    this.#deps = deps
    this.#collection = collection
    this.#follower = follower
  }

  /** Whether all records are at least as new as every event that was watched. */
  get isCurrent(): boolean {
    return this.#isLoaded && this.#changed.size === 0
  }

  /** Must be called with every event, in the order of the log. @returns the id of the record that it changed, if it did */
  watch({ stream, position }: RecordedEvent): number | undefined {
    if (!stream.startsWith(`${this.#collection}-`)) return undefined
    const { id } = parseStream(stream)
    this.#changed.set(id, position)
    return id
  }

  /** Resolves when the records are at least as new as every event that was watched. @throws {Refusal} unavailable */
  async current(): Promise<void> {
    while (!this.isCurrent) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined
      })
      await this.#reading
    }
  }

  async #read(): Promise<void> {
    if (!this.#isLoaded) await this.#load()
    for (const [id, position] of this.#changed) {
      await this.#deps.seen({ position })
      const document = await this.#deps.live.get(this.#collection, id)
      await this.#follower.put(id, document)
      if (this.#changed.get(id) === position) this.#changed.delete(id)
      this.#follower.changed?.(id, document)
    }
  }

  async #load(): Promise<void> {
    const { live, log, seen } = this.#deps
    await seen({ position: await log.lastPosition() })
    for await (const page of inStretches((next) => live.find(this.#collection, next), { where: {}, limit: PAGE }))
      for (const one of page) await this.#follower.put(Number(one.id), one)
    this.#isLoaded = true
  }
}
