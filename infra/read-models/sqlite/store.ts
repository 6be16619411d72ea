import { existsSync } from 'node:fs'
import type {
  Change,
  CollectionSpec,
  Fingerprints,
  Query,
  ReadModelStore,
  ReadModels,
  RebuildOptions,
  WatchedReadModels,
} from '../../../domain/kernel/ports/read-models.ts'
import type { MaybePromise } from '../../../domain/kernel/values/maybe-promise.ts'
import { asUnavailable, StorageUnavailable, troubleOf } from '../../sqlite/failures.ts'
import { writeAheadBytes } from '../../sqlite/write-ahead.ts'
import { LiveReadModels } from '../live-read-models.ts'
import { carryOverCollections } from './generations/carry-over.ts'
import { buildingOf, leaveMark, readMark, removeMark, removeViews, replaceViews } from './generations/files.ts'
import { type Generation, openGeneration } from './generations/generation.ts'
import { builtFrom, type Meta } from './layout.ts'
import { BulkLoad } from './rebuild/bulk-load.ts'
import { SqliteRebuild } from './rebuild/rebuild.ts'

interface Options {
  /** Id of the log that they are derived from, where it is known. */
  readonly logId?: string
  /** Called with a message when they are of no use and have to be rebuilt. */
  readonly onDamage?: (message: string) => void
}

/**
 * Opens the read models in a file. The first rebuild creates the file. A file that is of no use is removed: read models can always be
 * rebuilt from the log.
 * @throws {StorageUnavailable} when the disk is full
 */
export const openSqliteReadModels = async (
  file: string,
  collections: readonly CollectionSpec[],
  options: Options = {},
): Promise<SqliteReadModels> => new SqliteReadModels(file, collections, options)

/** Read models in an SQLite file. The next generation is built in a file beside it, which then replaces it. */
export class SqliteReadModels implements ReadModelStore, WatchedReadModels {
  readonly live: ReadModels
  readonly watched: WatchedReadModels = this
  readonly #file: string
  readonly #collections: readonly CollectionSpec[]
  readonly #options: Options
  readonly #shown = new LiveReadModels()
  readonly #listeners: Parameters<WatchedReadModels['watch']>[0][] = []
  #current: Generation | undefined
  #unfinished: SqliteRebuild | BulkLoad | undefined
  #isDamaged = false
  /** Settles when all earlier changes of generation have settled. They run one at a time. */
  #changed: Promise<unknown> = Promise.resolve()

  constructor(file: string, collections: readonly CollectionSpec[], options: Options) {
    this.live = this.#shown
    this.#file = file
    this.#collections = collections
    this.#options = options
    removeViews(buildingOf(file))
    const reason = readMark(file)
    if (reason !== undefined) this.#throwAway(`is damaged (${reason})`)
    else if (existsSync(file)) this.#openOrThrowAway()
    else removeViews(file)
  }

  watch(listener: Parameters<WatchedReadModels['watch']>[0]): void {
    this.#listeners.push(listener)
  }

  findIds(collection: string, query: Query): MaybePromise<(number | string)[]> {
    return this.#current?.findIds(collection, query) ?? []
  }

  fingerprints(): Fingerprints | undefined {
    return this.#current?.fingerprints
  }

  note(fingerprints: Fingerprints): Promise<void> {
    return this.#exclusively(async () => this.#current?.note(fingerprints))
  }

  /** Resolves when everything applied is in the file. @throws {StorageUnavailable} */
  async landed(): Promise<void> {
    await this.#current?.landed()
  }

  /** Size of the write-ahead log beside the file, in bytes. */
  wal(): number {
    return writeAheadBytes(this.#file)
  }

  /** Returns SQLite's query plans for the statements of a query on the live generation. */
  explain(collection: string, query: Query): string[] {
    return this.#current?.explain(collection, query) ?? []
  }

  rebuild(fingerprints: Fingerprints, options: RebuildOptions = {}): Promise<SqliteRebuild> {
    return this.#exclusively(async () => {
      await this.#clear()
      return this.#begin(fingerprints, await this.#carryOver(options))
    })
  }

  /** Begins a generation that `senders` threads fill with documents first. Drops an unfinished one. */
  load(senders: number): Promise<BulkLoad> {
    return this.#exclusively(async () => {
      const load = new BulkLoad(await this.#clear(), this.#collections, senders)
      this.#unfinished = load
      return load
    })
  }

  /** Continues a load as a rebuild. Its checkpoint is -1. @throws {Error} when the load was dropped meanwhile */
  rebuildOn(load: BulkLoad, fingerprints: Fingerprints): Promise<SqliteRebuild> {
    return this.#exclusively(async () => {
      if (this.#unfinished !== load) throw new Error('this load is over: it was dropped for a newer one')
      return this.#begin(fingerprints, -1)
    })
  }

  /** Removes the live generation, as if nothing had ever been built. */
  discard(): Promise<void> {
    return this.#exclusively(async () => {
      const generation = this.#current
      this.#show(undefined)
      await generation?.abandon()
      removeViews(this.#file)
      removeMark(this.#file)
    })
  }

  /** Closes everything and drops an unfinished generation. */
  close(): Promise<void> {
    return this.#exclusively(async () => {
      await this.#unfinished?.abandon()
      await this.#current?.close()
    })
  }

  /** Drops an unfinished generation. Returns the file in which the next one is built. */
  async #clear(): Promise<string> {
    await this.#unfinished?.abandon()
    const file = buildingOf(this.#file)
    removeViews(file)
    return file
  }

  #begin(fingerprints: Fingerprints, carriedOver: number): SqliteRebuild {
    const options = { collections: this.#collections, use: 'building', onDamage: () => undefined } as const
    const generation = openGeneration({ file: buildingOf(this.#file), ...options })
    const names = this.#collections.map(({ name }) => name)
    this.#unfinished = new SqliteRebuild(generation, names, carriedOver, {
      takeOver: () => this.#exclusively(() => this.#takeOver(generation, fingerprints)),
      abandon: () => this.#drop(generation),
    })
    return this.#unfinished
  }

  /** Begins the next file with collections of the live one. Returns the position that they have reached. */
  async #carryOver({ carryOver = [], signal }: RebuildOptions): Promise<number> {
    if (!this.#current || carryOver.length === 0) return -1
    const building = buildingOf(this.#file)
    try {
      return await carryOverCollections({ from: this.#file, to: building }, carryOver, signal)
    } catch (error) {
      removeViews(building)
      if (troubleOf(error) === 'damaged') this.#damaged((error as Error).message)
      throw asUnavailable(`The read models ${building} could not be written`, error)
    }
  }

  async #takeOver(built: Generation, fingerprints: Fingerprints): Promise<void> {
    const { logId } = this.#options
    try {
      await built.complete({ ...builtFrom(fingerprints), complete: 1, ...(logId !== undefined && { log: logId }) })
    } catch (error) {
      await this.#drop(built)
      throw error
    }
    const previous = this.#current
    await previous?.flush().catch(() => undefined)
    // Replacing and showing the file happen in one turn of the event loop, so that no read comes between.
    replaceViews(this.#file, buildingOf(this.#file), this.wal() === 0)
    this.#isDamaged = false
    this.#show(this.#open())
    await previous?.abandon()
  }

  #show(generation: Generation | undefined): void {
    this.#current = generation
    this.#shown.show(generation)
    this.#notify(undefined)
  }

  #notify(changes: readonly Change[] | undefined): void {
    for (const listener of this.#listeners) listener(changes)
  }

  #open(): Generation {
    const onDamage = (reason: string) => this.#damaged(reason)
    const onApplied = (changes: readonly Change[]) => this.#notify(changes)
    const check = (meta: Meta) => this.#check(meta)
    const [file, collections] = [this.#file, this.#collections]
    return openGeneration({ file, collections, use: 'writing', onDamage, onApplied, check })
  }

  #openOrThrowAway(): void {
    try {
      this.#show(this.#open())
    } catch (error) {
      if (troubleOf(error) === 'full')
        throw new StorageUnavailable(`The read models ${this.#file} could not be opened`, 'full', error)
      this.#throwAway(`cannot be used (${error instanceof Error ? error.message : error})`)
    }
  }

  #check({ complete, log }: Meta): void {
    const { logId } = this.#options
    if (!complete) throw new Error('it is not complete')
    if (log !== undefined && logId !== undefined && log !== logId) throw new Error('it was built from another log')
  }

  #throwAway(problem: string): void {
    removeViews(this.#file)
    removeMark(this.#file)
    this.#options.onDamage?.(`${this.#file} ${problem}: the read models are built anew from the log.`)
  }

  #damaged(reason: string): void {
    if (this.#isDamaged) return
    this.#isDamaged = true
    leaveMark(this.#file, reason)
    this.#options.onDamage?.(
      `${this.#file} is damaged (${reason}): restart the service, which builds the read models anew.`,
    )
  }

  async #drop(generation: Generation): Promise<void> {
    await generation.abandon()
    removeViews(buildingOf(this.#file))
  }

  #exclusively<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#changed.then(change)
    this.#changed = changed.catch(() => undefined)
    return changed
  }
}
