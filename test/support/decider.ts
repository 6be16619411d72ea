import { expect } from 'chai'
import type { Decider } from '../../domain/kernel/decide/decider.ts'
import type { RecordCommand } from '../../domain/kernel/decide/rules.ts'
import type { StreamState } from '../../domain/kernel/decide/stream-state.ts'
import type { DomainEvent, FoldedEvent, JsonObject } from '../../domain/kernel/values/event.ts'
import { Refusal, type RefusalKind } from '../../domain/kernel/values/refusal.ts'
import { streamOf } from '../../domain/kernel/values/stream-name.ts'

/** Fixed time of the decisions under test. */
export const AT = '2026-03-01T09:00:00.000Z'
export const WORKSPACE = 7
export const stamp = { at: AT, actor: { label: 'key:1', membershipId: 11 } } as const

/** Id of the root of the stream under test. */
export const ROOT = 1

/** A command to a record in the stream under test: the root, unless `child` and `id` name another. */
export const ask = (
  type: string,
  wanted: object = {},
  more: Partial<Pick<RecordCommand, 'id' | 'child' | 'as' | 'ids'>> = {},
): RecordCommand => ({ type, id: ROOT, workspaceId: WORKSPACE, wanted: wanted as JsonObject, ...more, ...stamp })

const placed = (aggregate: Decider, events: readonly DomainEvent[]): readonly FoldedEvent[] =>
  events.map((event, revision) => ({
    ...event,
    stream: streamOf(aggregate, ROOT),
    revision,
    metadata: { at: AT, actor: 'key:1', $correlationId: 'c', $causationId: 'c', workspace_id: WORKSPACE },
  }))

/** The state of a stream after these events. */
export const stateAfter = (aggregate: Decider, events: readonly DomainEvent[]): StreamState =>
  aggregate.fold(aggregate.initial, placed(aggregate, events))

interface Then {
  /** Expects exactly these events. */
  then(...events: readonly DomainEvent[]): void
  /** Expects no event: the command changes nothing. */
  thenNothing(): void
  refuses(kind: RefusalKind, text: string | RegExp): void
}

/** given(aggregate, ...events).when(command, facts).then(...events) */
export const given = (aggregate: Decider, ...events: readonly DomainEvent[]) => ({
  when(command: RecordCommand, facts?: unknown): Then {
    const decision = aggregate.decide(stateAfter(aggregate, events), command, facts)
    return {
      then: (...expected) => expect(decision).to.deep.equal(expected),
      thenNothing: () => expect(decision).to.deep.equal([]),
      refuses(kind, text) {
        if (!(decision instanceof Refusal)) throw new Error(`expected a refusal, got ${JSON.stringify(decision)}`)
        expect(decision.kind).to.equal(kind)
        if (typeof text === 'string') expect(decision.message).to.equal(text)
        else expect(decision.message).to.match(text)
      },
    }
  },
})
