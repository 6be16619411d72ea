import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import type { EventType } from '../../domain/webhooks/catalog.ts'
import { type EndpointRecord, endpoint as endpointModel } from '../../domain/webhooks/endpoint/model.ts'
import { subscribedName } from '../../domain/webhooks/matching.ts'
import type { WebhookDeps } from './webhook-deps.ts'

const COLLECTION = endpointModel.name
const STREAMS = `${COLLECTION}-`
const PAGE = 1000

/** All webhook endpoints, in memory. They follow the log, so that an event is matched with the endpoints of its time. */
export class Endpoints {
  readonly #deps: Pick<WebhookDeps, 'live' | 'seen' | 'log'>
  readonly #onChange: (id: number, endpoint: EndpointRecord | undefined) => void
  readonly #byId = new Map<number, EndpointRecord>()
  readonly #byWorkspace = new Map<number, Map<number, EndpointRecord>>()
  /** Endpoints that have changed since they were read, with the position of the change. */
  readonly #changed = new Map<number, number>()
  #isLoaded = false
  #reading: Promise<void> | undefined

  /** @param onChange called with each endpoint that was created, changed or removed, once its new state is read */
  constructor(
    deps: Pick<WebhookDeps, 'live' | 'seen' | 'log'>,
    onChange: (id: number, endpoint: EndpointRecord | undefined) => void,
  ) {
    this.#deps = deps
    this.#onChange = onChange
  }

  get(id: number): EndpointRecord | undefined {
    return this.#byId.get(id)
  }

  in(workspaceId: number): Iterable<EndpointRecord> {
    return this.#byWorkspace.get(workspaceId)?.values() ?? []
  }

  /** Whether an endpoint of a workspace gets events of one of these types, or may do so. */
  mayTake(workspaceId: number, types: readonly EventType[]): boolean {
    if (types.length === 0) return false
    if (!this.#isLoaded || this.#changed.size > 0) return true
    for (const endpoint of this.in(workspaceId))
      if (types.some((type) => type.publication.addressed || subscribedName(endpoint, type) !== undefined)) return true
    return false
  }

  /** Must be called with every event, in the order of the log. */
  watch({ stream, position }: RecordedEvent): void {
    if (stream.startsWith(STREAMS)) this.#changed.set(parseStream(stream).id, position)
  }

  /** Resolves when the endpoints are at least as new as every event that was watched. @throws {Refusal} unavailable */
  async current(): Promise<void> {
    while (!this.#isLoaded || this.#changed.size > 0) {
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
      const endpoint = (await this.#deps.live.get(COLLECTION, id)) as EndpointRecord | undefined
      if (endpoint) this.#put(endpoint)
      else this.#drop(id)
      if (this.#changed.get(id) === position) this.#changed.delete(id)
      this.#onChange(id, endpoint)
    }
  }

  async #load(): Promise<void> {
    const { live, log, seen } = this.#deps
    await seen({ position: await log.lastPosition() })
    for (let after = 0; !this.#isLoaded; ) {
      const page = (await live.find(COLLECTION, { where: {}, after, limit: PAGE })) as EndpointRecord[]
      for (const one of page) this.#put(one)
      this.#isLoaded = page.length < PAGE
      after = page.at(-1)?.id ?? after
    }
  }

  #put(endpoint: EndpointRecord): void {
    this.#byId.set(endpoint.id, endpoint)
    const siblings = this.#byWorkspace.get(endpoint.workspace_id) ?? new Map<number, EndpointRecord>()
    this.#byWorkspace.set(endpoint.workspace_id, siblings)
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
