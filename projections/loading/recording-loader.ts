import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import type { FileOf, PastSubject } from '../../domain/resources/view-types.ts'
import type { Sources } from '../fragments.ts'
import { BaseLoader, type LoaderDeps, type RequestLoader } from './loader.ts'

/** Look-ups of a request for one record of several. They collect the sources and the cuts of this record alone. */
export class RecordingLoader extends BaseLoader<LoaderDeps> {
  readonly #loader: RequestLoader
  readonly #sources: Sources

  constructor(deps: LoaderDeps, loader: RequestLoader, sources: Sources) {
    super(deps, loader.seesPersonalData)
    this.#loader = loader
    this.#sources = sources
  }

  one(resource: string, id: number | null | undefined): Promise<Document | undefined> {
    if (typeof id === 'number') this.#sources.document(resource, id)
    return this.#loader.one(resource, id)
  }

  override many(resource: string, ids: readonly number[]): Promise<Document[]> {
    for (const id of ids) this.#sources.document(resource, id)
    return this.#loader.many(resource, ids)
  }

  async where(resource: string, field: string, value: number | string, first?: number): Promise<Document[]> {
    this.#sources.where(resource, field, value)
    const found = await this.#loader.where(resource, field, value, first)
    for (const { id } of found) this.#sources.document(resource, id)
    return found
  }

  async last(resource: string, field: string, value: number | string, below?: number): Promise<Document | undefined> {
    this.#sources.where(resource, field, value)
    const found = await this.#loader.last(resource, field, value, below)
    if (found) this.#sources.document(resource, found.id)
    return found
  }

  count(resource: string, field: string, value: number | string): Promise<number> {
    this.#sources.collection(resource)
    return this.#loader.count(resource, field, value)
  }

  now(workspaceId: number): string {
    this.#sources.passing()
    return this.#loader.now(workspaceId)
  }

  past(subject: PastSubject): Promise<JsonObject | undefined> {
    return this.#loader.past(subject)
  }

  override download(file: FileOf): string {
    this.#sources.passing()
    return super.download(file)
  }

  /** All records of a request share its time. */
  override slice(): Promise<unknown> | undefined {
    return this.#loader.slice()
  }
}
