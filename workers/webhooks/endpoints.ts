import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { EventType } from '../../domain/webhooks/catalog.ts'
import { type EndpointRecord, endpoint as endpointModel } from '../../domain/webhooks/endpoint/model.ts'
import { subscribedName } from '../../domain/webhooks/matching.ts'
import { FollowedRecords } from '../followed-records.ts'
import type { WebhookDeps } from './webhook-deps.ts'

/** All webhook endpoints, in memory. They follow the log, so that an event is matched with the endpoints of its time. */
export class Endpoints {
  readonly #followed: FollowedRecords
  readonly #byId = new Map<number, EndpointRecord>()
  readonly #byWorkspace = new Map<number, Map<number, EndpointRecord>>()

  /** @param onChange called with each endpoint that was created, changed or removed, once its new state is read */
  constructor(
    deps: Pick<WebhookDeps, 'live' | 'seen' | 'log'>,
    onChange: (id: number, endpoint: EndpointRecord | undefined) => void,
  ) {
    this.#followed = new FollowedRecords(deps, endpointModel.name, {
      put: (id, document) => (document ? this.#put(document as EndpointRecord) : this.#drop(id)),
      changed: (id, document) => onChange(id, document as EndpointRecord | undefined),
    })
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
    if (!this.#followed.isCurrent) return true
    for (const endpoint of this.in(workspaceId))
      if (types.some((type) => type.publication.addressed || subscribedName(endpoint, type) !== undefined)) return true
    return false
  }

  /** Must be called with every event, in the order of the log. */
  watch(event: RecordedEvent): void {
    this.#followed.watch(event)
  }

  /** Resolves when the endpoints are at least as new as every event that was watched. @throws {Refusal} unavailable */
  current(): Promise<void> {
    return this.#followed.current()
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
