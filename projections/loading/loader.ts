import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'
import { PERSONAL_DATA_CATEGORY } from '../../domain/kernel/values/scopes.ts'
import { type TimeSlices, timeSlices } from '../../domain/kernel/values/turns.ts'
import { redact } from '../../domain/resources/redact.ts'
import type { Resource } from '../../domain/resources/resource.ts'
import type { FileOf, Loader, PastSubject } from '../../domain/resources/view-types.ts'
import type { History } from '../history.ts'

const NOTHING: ReadonlySet<string> = new Set()

/** Look-ups for the views of one request, and the parts that these have cut. */
export interface RequestLoader extends Loader {
  readonly cuts: readonly string[]
}

export interface LoaderDeps {
  readonly resources: ReadonlyMap<string, Resource>
  readonly vault: Vault
  readonly history: History
  readonly listenerPort: number
  readonly download: (file: FileOf) => string
  readonly publicUrl: (path: string) => string
  readonly linksWarning: () => string | undefined
}

/** Returns the resource of this name. @throws {Error} if none has it */
export const declaredIn = ({ resources }: Pick<LoaderDeps, 'resources'>, name: string): Resource => {
  const resource = resources.get(name)
  if (!resource) throw new Error(`no resource is named ${name}`)
  return resource
}

/** What the loaders have in common. Almost every request makes one, and most use little of it, so nothing is made before it is used. */
export abstract class BaseLoader<D extends LoaderDeps> implements RequestLoader {
  readonly seesPersonalData: boolean
  protected readonly deps: D
  #cuts: string[] | undefined
  #slices: TimeSlices | undefined

  constructor(deps: D, seesPersonalData: boolean) {
    this.deps = deps
    this.seesPersonalData = seesPersonalData
  }

  abstract one(resource: string, id: number | null | undefined): Promise<Document | undefined>
  abstract where(resource: string, field: string, value: number | string, first?: number): Promise<Document[]>
  abstract count(resource: string, field: string, value: number | string): Promise<number>
  abstract now(workspaceId: number): string
  abstract past(subject: PastSubject): Promise<JsonObject | undefined>

  async many(resource: string, ids: readonly number[]): Promise<Document[]> {
    const found = await Promise.all(ids.map((id) => this.one(resource, id)))
    return found.filter((document) => document !== undefined)
  }

  last(resource: string, id: number): Promise<Document | undefined> {
    return this.deps.history.lastOf(declaredIn(this.deps, resource), id)
  }

  get cuts(): readonly string[] {
    return this.#cuts ?? []
  }

  cut(part: string): void {
    this.#cuts ??= []
    if (!this.#cuts.includes(part)) this.#cuts.push(part)
  }

  async present(resource: string, document: Document): Promise<JsonObject> {
    const { view, category } = declaredIn(this.deps, resource)
    const shown = await view.present(document, this, NOTHING)
    return this.seesPersonalData || category !== PERSONAL_DATA_CATEGORY ? shown : redact(view.schema, shown)
  }

  get listenerPort(): number {
    return this.deps.listenerPort
  }

  download(file: FileOf): string {
    return this.deps.download(file)
  }

  publicUrl(path: string): string {
    return this.deps.publicUrl(path)
  }

  get linksWarning(): string | undefined {
    return this.deps.linksWarning()
  }

  open(person: number, sealed: string): MaybePromise<JsonObject | null> {
    return this.seesPersonalData ? this.deps.vault.open(person, sealed) : null
  }

  slice(): Promise<unknown> | undefined {
    this.#slices ??= timeSlices()
    return this.#slices()
  }
}
