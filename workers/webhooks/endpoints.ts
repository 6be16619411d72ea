import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { EndpointRecord } from '../../domain/webhooks/endpoint/model.ts'

const COLLECTION = 'webhooks/outgoing/endpoint'
const PAGE = 1000

/** Every webhook endpoint, in memory. */
export class Endpoints {
  readonly #live: ReadModels
  readonly #byId = new Map<number, EndpointRecord>()
  readonly #byWorkspace = new Map<number, Map<number, EndpointRecord>>()

  constructor(live: ReadModels) {
    this.#live = live
  }

  get(id: number): EndpointRecord | undefined {
    return this.#byId.get(id)
  }

  all(): IterableIterator<EndpointRecord> {
    return this.#byId.values()
  }

  in(workspaceId: number): Iterable<EndpointRecord> {
    return this.#byWorkspace.get(workspaceId)?.values() ?? []
  }

  anyIn(workspaceId: number): boolean {
    return this.#byWorkspace.has(workspaceId)
  }

  async load(): Promise<void> {
    for (let after = 0; ; ) {
      const page = (await this.#live.find(COLLECTION, { where: {}, after, limit: PAGE })) as EndpointRecord[]
      for (const one of page) this.#put(one)
      if (page.length < PAGE) return
      after = page.at(-1)!.id
    }
  }

  /** Reads one anew. @returns it as it now is; `undefined` when it has been removed */
  async refresh(id: number): Promise<EndpointRecord | undefined> {
    const endpoint = (await this.#live.get(COLLECTION, id)) as EndpointRecord | undefined
    if (endpoint) this.#put(endpoint)
    else this.#drop(id)
    return endpoint
  }

  #put(endpoint: EndpointRecord): void {
    this.#byId.set(endpoint.id, endpoint)
    let siblings = this.#byWorkspace.get(endpoint.workspace_id)
    if (!siblings) {
      siblings = new Map()
      this.#byWorkspace.set(endpoint.workspace_id, siblings)
    }
    siblings.set(endpoint.id, endpoint)
  }

  #drop(id: number): void {
    const known = this.#byId.get(id)
    this.#byId.delete(id)
    const siblings = known && this.#byWorkspace.get(known.workspace_id)
    siblings?.delete(id)
    if (siblings?.size === 0) this.#byWorkspace.delete(known!.workspace_id)
  }
}
