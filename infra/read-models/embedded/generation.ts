import { access } from 'node:fs/promises'
import type { RootDatabase } from 'lmdb'
import type {
  Change,
  CollectionSpec,
  Document,
  Query,
  ReadModels,
  Where,
} from '../../../domain/kernel/ports/read-models.ts'
import { Collections } from './collections.ts'
import { Commits } from './commit.ts'
import { count } from './count.ts'
import { checkId } from './document-id.ts'
import { forceToDisk } from './durable-files.ts'
import { type Durability, dataFile, openEnvironment } from './environment.ts'
import { find } from './find.ts'
import type { StoredCollection } from './stored-collection.ts'

const CHECKPOINT = 'checkpoint'
const COMPLETE = 'complete'

/** One generation of read models: an LMDB environment of its own. Reads are synchronous and see the latest commit. */
export class Generation implements ReadModels {
  readonly #path: string
  readonly #declared: readonly CollectionSpec[]
  readonly #root: RootDatabase
  readonly #collections: Collections
  readonly #commits: Commits
  /** Settles when the applies so far have. */
  #applied: Promise<unknown> = Promise.resolve()

  constructor(path: string, declared: readonly CollectionSpec[], durability: Durability) {
    this.#path = path
    this.#declared = declared
    this.#root = openEnvironment(path, declared.length, durability)
    this.#collections = new Collections(this.#root, declared)
    this.#commits = new Commits(this.#root)
  }

  /** Opens a complete generation. @throws {Error} when it is not there, or damaged, or not the one with this fingerprint. */
  static async open(path: string, declared: readonly CollectionSpec[], fingerprint: string): Promise<Generation> {
    await access(dataFile(path))
    const generation = new Generation(path, declared, 'overlapping')
    if (generation.#root.get(COMPLETE) === fingerprint) return generation
    await generation.close()
    throw new Error('it is not complete')
  }

  get(collection: string, id: number | string): Document | undefined {
    return this.#collections.named(collection).get(id)
  }

  getMany(collection: string, ids: readonly (number | string)[]): (Document | undefined)[] {
    const stored = this.#collections.named(collection)
    return ids.map((id) => stored.get(id))
  }

  find(collection: string, query: Query): Document[] {
    return find(this.#collections.named(collection), query)
  }

  count(collection: string, where: Where, atMost = Number.POSITIVE_INFINITY): number {
    return count(this.#collections.named(collection), where, atMost)
  }

  checkpoint(): number {
    return this.#root.get(CHECKPOINT) ?? -1
  }

  apply(changes: readonly Change[], checkpoint: number): Promise<void> {
    const applied = this.#applied.then(() => this.#apply(changes, checkpoint))
    this.#applied = applied.catch(() => undefined)
    return applied
  }

  /** Brings to disk what was built, and opens it for service; this object is closed. */
  async complete(fingerprint: string): Promise<Generation> {
    await this.close()
    await forceToDisk(dataFile(this.#path))
    await forceToDisk(this.#path)
    const generation = new Generation(this.#path, this.#declared, 'overlapping')
    // The first commit of an environment is also the one that a crash of the machine falls back to.
    await generation.#root.put(COMPLETE, fingerprint)
    await generation.#root.flushed
    return generation
  }

  /** Waits for the applies under way. */
  async close(): Promise<void> {
    await this.#applied
    await this.#root.close()
  }

  async #apply(changes: readonly Change[], checkpoint: number): Promise<void> {
    const before = this.checkpoint()
    const newest = this.#newest(changes, before)
    const after = Math.max(before, checkpoint)
    if (newest.size === 0 && after === before) return
    const write = () => {
      for (const [collection, byId] of newest) for (const change of byId.values()) collection.write(change)
      this.#collections.save()
      this.#root.put(CHECKPOINT, after)
    }
    try {
      await this.#commits.run(write, () => after > before && this.checkpoint() === after)
    } catch (error) {
      this.#collections.unsaved()
      throw error
    }
  }

  /** One change a document, without those that the checkpoint covers. Throws for what could not be stored, before anything is. */
  #newest(changes: readonly Change[], covered: number): Map<StoredCollection, Map<number | string, Change>> {
    const newest = new Map<StoredCollection, Map<number | string, Change>>()
    let name: string | undefined
    let byId = new Map<number | string, Change>()
    let collection: StoredCollection
    for (const change of changes) {
      checkId(change.collection, change.id)
      if (change.collection !== name) {
        name = change.collection
        collection = this.#collections.named(name)
        byId = newest.get(collection) ?? new Map()
        newest.set(collection, byId)
      }
      if (change.position <= covered) continue
      const known = byId.get(change.id)
      if (!known || known.position <= change.position) byId.set(change.id, change)
    }
    return newest
  }
}
