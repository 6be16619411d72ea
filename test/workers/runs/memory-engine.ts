import { randomUUID } from 'node:crypto'
import type { Decider } from '../../../domain/kernel/decide/decider.ts'
import type { Reader } from '../../../domain/kernel/decide/rules.ts'
import { RecordsOfStream, type StreamState } from '../../../domain/kernel/decide/stream-state.ts'
import { claimChanges } from '../../../domain/kernel/engine/claim-changes.ts'
import type { Engine } from '../../../domain/kernel/engine/engine.ts'
import type { Transaction } from '../../../domain/kernel/engine/transaction.ts'
import type { ClaimRequest } from '../../../domain/kernel/model/claim.ts'
import type { ReadAllOptions, ReadStreamOptions } from '../../../domain/kernel/ports/event-log.ts'
import type { Document, Query } from '../../../domain/kernel/ports/read-models.ts'
import type { DomainEvent, RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { getOrInsert } from '../../../domain/kernel/values/get-or-insert.ts'
import { Refusal, refuse } from '../../../domain/kernel/values/refusal.ts'
import { streamOf } from '../../../domain/kernel/values/stream-name.ts'

/** Thrown where the process of a test dies. */
export class Death extends Error {}

const claimKey = ({ scope, value }: Pick<ClaimRequest, 'scope' | 'value'>): string => `${scope}:${value}`

/** What of a transaction is kept with its events. */
type Causes = Pick<Transaction, 'correlationId' | 'causationId'>

interface Stored {
  readonly state: StreamState
  readonly revision: number
}

/** State of a stream from a position of the log on. */
interface Since {
  readonly from: number
  readonly state: StreamState
}

/** An engine over streams in memory, with the documents that they give. It can die before or after any append, as a process that is killed. */
export class MemoryEngine {
  readonly events: RecordedEvent[] = []
  readonly #streams = new Map<string, Stored>()
  readonly #states = new Map<string, Since[]>()
  readonly #ids = new Set<string>()
  /** Streams that hold claims. */
  readonly #claims = new Map<string, string>()
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
      claimKey,
      records: async (aggregate: Decider, id: number) => new RecordsOfStream(this.#stored(aggregate, id).state),
    } as unknown as Engine
  }

  get live() {
    return this.liveUpTo(() => Number.POSITIVE_INFINITY)
  }

  /** Returns documents that show the log up to a position, which is asked for at each read. */
  liveUpTo(position: () => number) {
    const states = (): readonly StreamState[] => {
      const upTo = position()
      const found = [...this.#states.values()].map((all) => all.findLast(({ from }) => from <= upTo)?.state)
      return found.filter((state) => state !== undefined)
    }
    const get = (collection: string, id: number | string): Document | undefined => {
      for (const state of states()) {
        const found = state.documents[collection]?.get(Number(id))
        if (found) return found
      }
      return this.#fixed.get(`${collection} ${id}`)
    }
    return {
      get,
      getMany: (collection: string, ids: readonly number[]) => ids.map((id) => get(collection, id)),
      find: (collection: string, { where, sort, after = 0, limit }: Query): readonly Document[] =>
        states()
          .flatMap(({ documents }) => [...(documents[collection]?.values() ?? [])])
          .filter((one) => Object.entries(where).every(([name, value]) => one[name] === value))
          .filter(({ id }) => Number(id) > Number(after))
          .sort((a, b) => (sort?.descending ? -1 : 1) * (Number(a.id) - Number(b.id)))
          .slice(0, limit),
    }
  }

  get log() {
    const { events } = this
    return {
      lastPosition: async () => events.length - 1,
      claimed: async (key: string) => {
        const stream = this.#claims.get(key)
        return stream === undefined ? undefined : { key, stream, revision: 0 }
      },
      async *readAll({ after = -1 }: ReadAllOptions = {}) {
        yield* events.slice(after + 1)
      },
      async *readStream(stream: string, { from = 0, backwards = false, limit }: ReadStreamOptions = {}) {
        const own = events.filter((one) => one.stream === stream && one.revision >= from)
        yield* (backwards ? own.reverse() : own).slice(0, limit)
      },
    }
  }

  claimed(key: string): boolean {
    return this.#claims.has(key)
  }

  /** Appends events without a decision. */
  append(aggregate: Decider, id: number, at: string, ...events: readonly DomainEvent[]): void {
    this.#add(aggregate, id, at, events, () => randomUUID(), { correlationId: 'c', causationId: randomUUID() })
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
    const newId = (index: number) => eventIds?.(index) ?? randomUUID()
    if (!decided.some((_, index) => this.#ids.has(newId(index)))) {
      const taken = this.#exchangeClaims(aggregate, id, state, decided)
      if (taken) return refuse.invalid(taken.says, taken.field, 'taken')
      this.#add(aggregate, id, command.at, decided, newId, transaction)
    }
    if (once) this.#claims.set(once.key, streamOf(aggregate, id))
    this.#die()
    return { revision: this.#stored(aggregate, id).revision, position: this.events.length - 1, events: decided }
  }

  /** @returns a claim that another stream holds, if there is one. Then nothing is taken */
  #exchangeClaims(
    aggregate: Decider,
    id: number,
    before: StreamState,
    decided: readonly DomainEvent[],
  ): ClaimRequest | undefined {
    const stream = streamOf(aggregate, id)
    const metadata = { at: '', actor: '', workspace_id: 7, team_id: 1, $correlationId: '', $causationId: '' }
    const after = aggregate.fold(
      before,
      decided.map((event) => ({ ...event, stream, revision: 0, metadata })),
    )
    const { taken, released } = claimChanges(aggregate, before, after, claimKey)
    const held = [...taken].filter(([key]) => this.#claims.has(key))
    const refused = held.find(([, claim]) => !claim.ifFree)
    if (refused) return refused[1]
    for (const key of released) if (this.#claims.get(key) === stream) this.#claims.delete(key)
    for (const key of taken.keys()) if (!this.#claims.has(key)) this.#claims.set(key, stream)
    return undefined
  }

  #add(
    aggregate: Decider,
    id: number,
    at: string,
    events: readonly DomainEvent[],
    newId: (index: number) => string,
    { correlationId, causationId }: Causes,
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
        metadata: {
          ...{ at, actor: 'test', workspace_id: 7, team_id: 1 },
          ...{ $correlationId: correlationId, $causationId: causationId },
        },
      }),
    )
    for (const one of recorded) this.#ids.add(one.id)
    const folded = aggregate.fold(state, recorded)
    if (events.length > 0)
      getOrInsert(this.#states, stream, () => []).push({ from: this.events.length + events.length - 1, state: folded })
    this.events.push(...recorded)
    this.#streams.set(stream, { state: folded, revision: revision + events.length })
  }
}
