import { randomUUID } from 'node:crypto'
import type { Decider } from '../../../domain/kernel/decide/decider.ts'
import type { Reader } from '../../../domain/kernel/decide/rules.ts'
import { RecordsOfStream, type StreamState } from '../../../domain/kernel/decide/stream-state.ts'
import type { Engine } from '../../../domain/kernel/engine/engine.ts'
import type { Transaction } from '../../../domain/kernel/engine/transaction.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import type { DomainEvent, RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { streamOf } from '../../../domain/kernel/values/stream-name.ts'

/** Thrown where the process of a test dies. */
export class Death extends Error {}

interface Stored {
  state: StreamState
  revision: number
}

/** An engine over streams in memory, with the documents that they give. It can die before or after any append, as a process that is killed. */
export class MemoryEngine {
  readonly events: RecordedEvent[] = []
  readonly #streams = new Map<string, Stored>()
  readonly #ids = new Set<string>()
  readonly #claims = new Set<string>()
  readonly #fixed: ReadonlyMap<string, Document>
  /** Steps towards the log until it dies. */
  dieAfter = Number.POSITIVE_INFINITY

  /** @param fixed documents of other collections, by `collection id` */
  constructor(fixed: ReadonlyMap<string, Document>) {
    this.#fixed = fixed
  }

  get engine(): Engine {
    return {
      transact: (transaction: Transaction) => this.#transact(transaction),
      records: async (aggregate: Decider, id: number) => new RecordsOfStream(this.#stored(aggregate, id).state),
    } as unknown as Engine
  }

  get live() {
    const get = (collection: string, id: number | string): Document | undefined => {
      for (const { state } of this.#streams.values()) {
        const found = state.documents[collection]?.get(Number(id))
        if (found) return found
      }
      return this.#fixed.get(`${collection} ${id}`)
    }
    return {
      get,
      getMany: (collection: string, ids: readonly number[]) => ids.map((id) => get(collection, id)),
    }
  }

  claimed(key: string): boolean {
    return this.#claims.has(key)
  }

  /** Appends events without a decision. */
  append(aggregate: Decider, id: number, at: string, ...events: readonly DomainEvent[]): void {
    this.#add(aggregate, id, at, events, () => randomUUID())
  }

  record<T>(aggregate: Decider, id: number, model: string): T | undefined {
    return this.#stored(aggregate, id).state.documents[model]?.get(id) as T | undefined
  }

  #stored(aggregate: Decider, id: number): Stored {
    return this.#streams.get(streamOf(aggregate, id)) ?? { state: aggregate.initial, revision: -1 }
  }

  #die(): void {
    if (--this.dieAfter < 0) throw new Death()
  }

  async #transact(transaction: Transaction) {
    const { aggregate, id, command, workspaceId, once, eventIds } = transaction
    this.#die()
    const { state } = this.#stored(aggregate, id)
    const placed = { ...command, workspaceId: workspaceId ?? 0 }
    const decided = aggregate.decide(
      state,
      placed,
      await aggregate.facts?.(placed, this.live as unknown as Reader['documents'], state),
    )
    if (once && this.#claims.has(once.key)) return { repeatOf: once, position: this.events.length - 1 }
    if (decided instanceof Refusal) return decided
    if (once) this.#claims.add(once.key)
    const newId = (index: number) => eventIds?.(index) ?? randomUUID()
    if (!decided.some((_, index) => this.#ids.has(newId(index)))) this.#add(aggregate, id, command.at, decided, newId)
    this.#die()
    return { revision: this.#stored(aggregate, id).revision, position: this.events.length - 1, events: decided }
  }

  #add(
    aggregate: Decider,
    id: number,
    at: string,
    events: readonly DomainEvent[],
    newId: (index: number) => string,
  ): void {
    const stream = streamOf(aggregate, id)
    const { state, revision } = this.#stored(aggregate, id)
    const recorded = events.map(
      (event, index): RecordedEvent => ({
        ...event,
        id: newId(index),
        stream,
        revision: revision + 1 + index,
        position: this.events.length + index,
        metadata: { at, actor: 'test', $correlationId: 'c', $causationId: 'c', workspace_id: 7, team_id: 1 },
      }),
    )
    for (const one of recorded) this.#ids.add(one.id)
    this.events.push(...recorded)
    this.#streams.set(stream, { state: aggregate.fold(state, recorded), revision: revision + events.length })
  }
}
