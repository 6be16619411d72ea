import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import type { PastSubject } from '../../domain/resources/view-types.ts'
import type { Moment } from '../history.ts'
import { BaseLoader, declaredIn, type LoaderDeps, type RequestLoader } from './loader.ts'

const NOTHING: ReadonlySet<string> = new Set()

/** Creates look-ups as of a point in the past, folded from the log. */
export const createPastLoader = (deps: LoaderDeps, moment: Moment, seesPersonalData: boolean): RequestLoader =>
  new PastLoader(deps, moment, seesPersonalData)

class PastLoader extends BaseLoader<LoaderDeps> {
  readonly #moment: Moment

  constructor(deps: LoaderDeps, moment: Moment, seesPersonalData: boolean) {
    super(deps, seesPersonalData)
    this.#moment = moment
  }

  async one(resource: string, id: number | null | undefined): Promise<Document | undefined> {
    if (id === null || id === undefined || Number.isNaN(id)) return undefined
    return this.deps.history.document(declaredIn(this.deps, resource), id, this.#moment)
  }

  async where(resource: string, field: string, value: number | string, first?: number): Promise<Document[]> {
    const found = await this.deps.history.where(declaredIn(this.deps, resource), field, value, this.#moment)
    return found.slice(0, first)
  }

  async last(resource: string, field: string, value: number | string, below = Number.POSITIVE_INFINITY) {
    return (await this.where(resource, field, value)).findLast(({ id }) => Number(id) < below)
  }

  async count(resource: string, field: string, value: number | string): Promise<number> {
    return (await this.where(resource, field, value)).length
  }

  now(): string {
    return this.#moment.at
  }

  async past(subject: PastSubject): Promise<JsonObject | undefined> {
    return (await createSnapshots(this.deps, this.seesPersonalData)(subject))?.data
  }
}

/** Record as its own endpoint showed it, and the document from which that was made. */
export interface Snapshot {
  readonly document: Document
  readonly data: JsonObject
}

/** Returns a function that folds records of the past; it gives `undefined` for a record that never existed. */
export const createSnapshots =
  (deps: LoaderDeps, seesPersonalData: boolean) =>
  async ({ resource, id, stream, revision, goneFrom, at }: PastSubject): Promise<Snapshot | undefined> => {
    const declared = declaredIn(deps, resource)
    for (const last of [revision, goneFrom - 1]) {
      const moment: Moment = { at, upTo: { stream, revision: last } }
      const document = await deps.history.document(declared, id, moment)
      if (!document) continue
      const load = createPastLoader(deps, moment, seesPersonalData)
      return { document, data: await declared.view.present(document, load, NOTHING) }
    }
    return undefined
  }
