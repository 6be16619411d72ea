import type { Collection, Db } from 'mongodb'

/** Error that stands for the death of the process. */
export class Died extends Error {}

const WRITES = ['bulkWrite', 'updateOne', 'insertMany', 'deleteOne'] as const
type Write = (typeof WRITES)[number]

/**
 * A database whose user dies at one of its writes: before the server receives it, or after the write but before its answer. Nothing is
 * written from then on.
 */
export class MortalDb {
  /** Number of attempted writes. */
  writes = 0
  readonly #dies: { readonly at: number; readonly behind: boolean } | undefined
  #isDead = false

  constructor(dies?: { readonly at: number; readonly behind: boolean }) {
    this.#dies = dies
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** Wraps a database for this user. */
  of(db: Db): Db {
    return wrap(db, (name, call) =>
      name === 'collection' ? (...args) => this.#collection(call(...args) as Collection) : call,
    )
  }

  #collection(collection: Collection): Collection {
    return wrap(collection, (name, call) =>
      WRITES.includes(name as Write) ? (...args) => this.#write(() => call(...args) as Promise<unknown>) : call,
    )
  }

  async #write(write: () => Promise<unknown>): Promise<unknown> {
    if (this.#isDead) throw new Died()
    const isLast = this.writes++ === this.#dies?.at
    if (!isLast) return write()
    this.#isDead = true
    if (this.#dies?.behind) await write()
    throw new Died()
  }
}

type Call = (...args: unknown[]) => unknown

const wrap = <T extends object>(wrapped: T, around: (name: string, call: Call) => Call): T =>
  new Proxy(wrapped, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? around(String(name), value.bind(target) as Call) : value
    },
  })
