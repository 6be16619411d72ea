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
import { forceToDisk } from './durable-files.ts'
import { type Durability, dataFile, openEnvironment } from './environment.ts'
import { checkDataFile } from './file-check.ts'
import { find } from './find.ts'
import { type ChangesByDocument, newestChanges } from './newest-changes.ts'

const CHECKPOINT = 'checkpoint'
const COMPLETE = 'complete'
/** How long closing may take after a failure. */
const PATIENCE_MS = 500

/** One generation of read models: an LMDB environment of its own. Reads are synchronous and see the latest commit. */
export class Generation implements ReadModels {
  readonly #path: string
  readonly #declared: readonly CollectionSpec[]
  readonly #root: RootDatabase
  readonly #collections: Collections
  readonly #commits: Commits
  /** Applies that were called and have not answered; one that meets no other starts at once. */
  #unfinished = 0
  #settled: Promise<void> = Promise.resolve()
  #underway: ChangesByDocument | undefined

  constructor(path: string, declared: readonly CollectionSpec[], durability: Durability) {
    this.#path = path
    this.#declared = declared
    this.#root = openEnvironment(path, declared.length, durability)
    this.#collections = new Collections(this.#root, declared)
    this.#commits = new Commits(this.#root, path)
  }

  /** Opens a complete generation. @throws {Error} when it is not there, or damaged, or not the one with this fingerprint. */
  static async open(path: string, declared: readonly CollectionSpec[], fingerprint: string): Promise<Generation> {
    await checkDataFile(dataFile(path))
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
    const run = () =>
      this.#apply(changes, checkpoint).finally(() => {
        this.#unfinished--
      })
    const applied = this.#unfinished++ === 0 ? run() : this.#settled.then(run)
    this.#settled = applied.catch(() => undefined)
    return applied
  }

  /** The document as it will be when what is being applied is in. */
  upcoming(collection: string, id: number | string): Document | undefined {
    const change = this.#underway?.get(collection)?.get(id)
    return change ? (change.document ?? undefined) : this.get(collection, id)
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
    await this.#settled
    const closed = this.#root.close()
    if (this.#commits.failed) await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
    else await closed
  }

  async #apply(changes: readonly Change[], checkpoint: number): Promise<void> {
    const before = this.checkpoint()
    const after = Math.max(before, checkpoint)
    const newest = newestChanges(changes, before)
    if (newest.size === 0 && after === before) return
    const collections = [...newest].map(([name, byId]) => ({ collection: this.#collections.named(name), byId }))
    const write = () => {
      for (const { collection, byId } of collections)
        for (const change of byId.values()) if (!collection.write(change)) byId.delete(change.id)
      this.#collections.save()
      this.#root.put(CHECKPOINT, after)
    }
    this.#underway = newest
    try {
      await this.#commits.run(write, () => after > before && this.checkpoint() === after)
    } catch (error) {
      this.#collections.unsaved()
      throw error
    } finally {
      this.#underway = undefined
    }
  }
}
