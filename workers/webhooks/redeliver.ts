import { Refusal } from '../../domain/kernel/refusal.ts'
import type { RecordCommand } from '../../domain/kernel/rules.ts'
import { workerActor } from '../../domain/kernel/transaction.ts'
import type { EventType } from '../../domain/webhooks/catalog.ts'
import type { EndpointRecord, OpenRedelivery } from '../../domain/webhooks/endpoint/model.ts'
import { endpoints } from '../../domain/webhooks/endpoint/rules.ts'
import type { OutgoingRecord } from '../../domain/webhooks/event/model.ts'
import { outgoingEvents } from '../../domain/webhooks/event/rules.ts'
import { subscribes } from '../../domain/webhooks/matching.ts'
import { derivedId } from '../derived-id.ts'
import { type WebhookParts, whenReadable } from './parts.ts'

const EVENTS = 'webhooks/outgoing/event'
const PAGE = 200
const RETRY_MS = 5000

/** Orders the redelivery of stretches of time, in the background; what a restart cuts off is done again without repeating anything. */
export class Redeliveries {
  readonly #parts: WebhookParts
  readonly #types: ReadonlyMap<string, EventType>
  readonly #underWay = new Set<number>()
  #stopped = false

  constructor(parts: WebhookParts, types: ReadonlyMap<string, EventType>) {
    this.#parts = parts
    this.#types = types
  }

  /** Takes up whatever has been asked of an endpoint and not been ordered yet. */
  takeUp(endpoint: EndpointRecord): void {
    for (const redelivery of endpoint.redeliveries) {
      if (this.#underWay.has(redelivery.id)) continue
      this.#underWay.add(redelivery.id)
      void this.#carryOut(endpoint, redelivery)
    }
  }

  stop(): void {
    this.#stopped = true
  }

  async #carryOut(endpoint: EndpointRecord, redelivery: OpenRedelivery): Promise<void> {
    while (!this.#stopped) {
      try {
        const events = await this.#order(endpoint, redelivery)
        if (!this.#stopped) await this.#finish(endpoint, redelivery, events)
        break
      } catch (error) {
        if (this.#stopped) return
        this.#parts.logger.error({ err: error, endpoint: endpoint.id }, 'webhook redelivery interrupted')
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
    this.#underWay.delete(redelivery.id)
  }

  /** @returns how many events there were */
  async #order(endpoint: EndpointRecord, { id, from, to }: OpenRedelivery): Promise<number> {
    const { live, log } = this.#parts
    await whenReadable(this.#parts, await log.lastPosition(), () => this.#stopped)
    const where = { workspace_id: endpoint.workspace_id, created_at: { $gte: from, $lte: to } }
    let count = 0
    for (let after: number | undefined; !this.#stopped; ) {
      const query = { where, sort: { by: 'created_at' }, limit: PAGE, ...(after !== undefined && { after }) }
      const page = (await live.find(EVENTS, query)) as OutgoingRecord[]
      const wanted = page.filter((event) => this.#wants(endpoint, event))
      await Promise.all(wanted.map((event) => this.#orderOne(endpoint, id, event)))
      count += wanted.length
      if (page.length < PAGE) break
      after = page.at(-1)!.id
    }
    return count
  }

  #wants(endpoint: EndpointRecord, event: OutgoingRecord): boolean {
    const type = this.#types.get(event.event_type_id)
    return type !== undefined && !type.publication.addressed && subscribes(endpoint, type, event)
  }

  async #orderOne(endpoint: EndpointRecord, redeliveryId: number, event: OutgoingRecord): Promise<void> {
    const command: RecordCommand = {
      type: 'redeliver',
      id: event.id,
      wanted: { endpoint_id: endpoint.id },
      ids: [this.#parts.ids.next('webhooks/outgoing/delivery')],
      at: this.#at(),
      actor: workerActor('webhooks'),
    }
    await this.#transact({
      aggregate: outgoingEvents,
      id: event.id,
      command,
      ...causedBy(endpoint, redeliveryId),
      eventIds: (index: number) => derivedId('redelivery', redeliveryId, event.id, index),
    })
  }

  async #finish(endpoint: EndpointRecord, redelivery: OpenRedelivery, events: number): Promise<void> {
    const command: RecordCommand = {
      type: 'finishRedelivery',
      id: endpoint.id,
      wanted: { redelivery_id: redelivery.id, events },
      at: this.#at(),
      actor: workerActor('webhooks'),
    }
    await this.#transact({
      aggregate: endpoints,
      id: endpoint.id,
      command,
      ...causedBy(endpoint, redelivery.id),
    })
  }

  #at(): string {
    return new Date(this.#parts.now()).toISOString()
  }

  /** A refusal means that there is nothing to be done any more: the endpoint has been disabled or removed. */
  async #transact(transaction: Parameters<WebhookParts['engine']['transact']>[0]): Promise<void> {
    const result = await this.#parts.engine.transact(transaction)
    if (result instanceof Refusal) this.#parts.logger.info({ reason: result.message }, 'webhook redelivery refused')
  }
}

const causedBy = (endpoint: EndpointRecord, redeliveryId: number) => ({
  teamId: Number(endpoint.team_id),
  workspaceId: endpoint.workspace_id,
  causationId: `redelivery-${redeliveryId}`,
  correlationId: `redelivery-${redeliveryId}`,
})
