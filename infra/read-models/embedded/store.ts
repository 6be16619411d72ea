import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { CollectionSpec, ReadModelStore, ReadModels } from '../../../domain/kernel/ports/read-models.ts'
import { Generation } from './generation.ts'
import { LiveReadModels } from './live-read-models.ts'
import { generationName, generationNumber, type Pointer, readPointer, refuse, writePointer } from './pointer.ts'
import { EmbeddedRebuild } from './rebuild.ts'

/**
 * Opens the read models in a directory, which is made where it is missing.
 * @throws {Error} when the directory holds something else or something damaged; the message says what to do.
 */
export async function openEmbeddedReadModels(
  directory: string,
  collections: readonly CollectionSpec[],
): Promise<EmbeddedReadModels> {
  const store = new EmbeddedReadModels(directory, collections)
  await store.refresh()
  return store
}

/** Read models in LMDB: one environment a generation, and a pointer file that names the live one. */
export class EmbeddedReadModels implements ReadModelStore {
  readonly live: ReadModels
  readonly #directory: string
  readonly #collections: readonly CollectionSpec[]
  readonly #shown = new LiveReadModels()
  #pointer: Pointer | undefined
  #current: Generation | undefined
  #unfinished: EmbeddedRebuild | undefined
  /** Settles when the changes of generation so far have; they happen one at a time. */
  #changed: Promise<unknown> = Promise.resolve()

  constructor(directory: string, collections: readonly CollectionSpec[]) {
    this.live = this.#shown
    this.#directory = directory
    this.#collections = collections
  }

  fingerprint(): string | undefined {
    return this.#pointer?.fingerprint
  }

  /** Shows the generation that took over last, in this process or another. Gives whether that is a new one. */
  refresh(): Promise<boolean> {
    return this.#exclusively(async () => {
      const pointer = await readPointer(this.#directory)
      if (!pointer || pointer.generation === this.#pointer?.generation) return false
      await this.#show(...(await this.#open(pointer)))
      return true
    })
  }

  rebuild(fingerprint: string): Promise<EmbeddedRebuild> {
    return this.#exclusively(async () => {
      await this.#unfinished?.abandon()
      const name = generationName(1 + (await this.#sweep()))
      const generation = new Generation(this.#path(name), this.#collections, 'none')
      this.#unfinished = new EmbeddedRebuild(generation, {
        takeOver: () => this.#exclusively(() => this.#takeOver(generation, { generation: name, fingerprint })),
        abandon: () => this.#drop(generation, name),
      })
      return this.#unfinished
    })
  }

  /** Closes everything and drops what was not finished. */
  close(): Promise<void> {
    return this.#exclusively(async () => {
      await this.#unfinished?.abandon()
      await this.#current?.close()
    })
  }

  async #takeOver(built: Generation, pointer: Pointer): Promise<void> {
    const previous = this.#pointer
    const generation = await built.complete(pointer.fingerprint)
    await writePointer(this.#directory, pointer)
    await this.#show(generation, pointer)
    if (previous) await this.#remove(previous.generation)
  }

  async #show(generation: Generation, pointer: Pointer): Promise<void> {
    const previous = this.#current
    this.#pointer = pointer
    this.#current = generation
    this.#shown.show(generation)
    await previous?.close()
  }

  /** Opens the generation, or the one that took over meanwhile, since that removes the one before. */
  async #open(pointer: Pointer): Promise<[Generation, Pointer]> {
    try {
      return [await Generation.open(this.#path(pointer.generation), this.#collections, pointer.fingerprint), pointer]
    } catch (error) {
      const newer = await readPointer(this.#directory)
      if (newer && newer.generation !== pointer.generation) return this.#open(newer)
      return refuse(this.#directory, `${this.#path(pointer.generation)} cannot be read (${(error as Error).message})`)
    }
  }

  /** Removes every generation but the live one. Gives the highest number met. */
  async #sweep(): Promise<number> {
    const live = (await readPointer(this.#directory))?.generation
    const names = (await readdir(this.#directory)).filter((name) => generationNumber(name) !== undefined)
    for (const name of names) if (name !== live) await this.#remove(name)
    return Math.max(0, ...names.map((name) => generationNumber(name) ?? 0))
  }

  async #drop(generation: Generation, name: string): Promise<void> {
    await generation.close()
    await this.#remove(name)
  }

  /** Processes that have it open keep it until they let go; where that stands in the way of removing, the next rebuild does it. */
  async #remove(name: string): Promise<void> {
    await rm(this.#path(name), { recursive: true, force: true }).catch(() => undefined)
  }

  #path(name: string): string {
    return path.join(this.#directory, name)
  }

  #exclusively<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#changed.then(change)
    this.#changed = changed.catch(() => undefined)
    return changed
  }
}
