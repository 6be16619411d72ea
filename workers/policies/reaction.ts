import type { Decider } from '../../domain/kernel/decide/decider.ts'
import type { Engine } from '../../domain/kernel/engine/engine.ts'
import { finishFollowUps } from '../../domain/kernel/engine/follow-up.ts'
import type { Batch, Policy } from '../../domain/kernel/react/policy.ts'
import { isJsonObject, type RecordedEvent } from '../../domain/kernel/values/event.ts'
import { type Ids, mintFrom, withIds } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { runBatch } from '../reactor/batch.ts'
import { type BatchTurn, DONE, inStreams, type Outcome, type Reaction, STOPPED } from '../reactor/reaction.ts'
import type { Semaphore } from '../reactor/semaphore.ts'
import type { Readers } from '../reactor/targets.ts'
import { isPassing } from '../retry-while-unavailable.ts'
import type { Performer } from './perform.ts'

interface PolicyDeps {
  readonly policies: readonly Policy[]
  /** By name: what requests still had to do is kept in the log with the names of aggregates. */
  readonly aggregates: ReadonlyMap<string, Decider>
  readonly engine: Engine
  readonly ids: Ids
  readonly readers: Readers
  readonly perform: Performer
  /** Waits until documents are as they were behind an event, or later. */
  readonly seen: (event: RecordedEvent) => Promise<void>
  readonly room: Semaphore
}

const WIDTH = 8
const TRIES = 10
/** Refusals of one walk that are written down. */
const MOST_REASONS = 100

/** The part of what is kept of a reaction that is one policy's. */
const partOf = (turn: BatchTurn, name: string): BatchTurn => ({
  stopping: turn.stopping,
  cursor: async () => {
    const kept = await turn.cursor()
    return (isJsonObject(kept) && kept[name]) || null
  },
  keep: async (value) => {
    const kept = await turn.cursor()
    await turn.keep({ ...(isJsonObject(kept) && kept), [name]: value })
  },
})

/** What follows from an event within the domain: what its request still had to do, and policies, those of one subject in the order of its events. */
export const policyReaction = (deps: PolicyDeps): Reaction => {
  const { policies, aggregates, engine, ids, readers, perform, seen, room } = deps
  const byType = new Map<string, Policy[]>()
  for (const policy of policies)
    for (const { type } of policy.on) byType.set(type, [...(byType.get(type) ?? []), policy])

  /** A request that the process did not live to complete is completed; mostly that was done long ago. */
  const complete = async (event: RecordedEvent): Promise<string[]> => {
    if (!event.metadata.follow_ups) return []
    const result = await finishFollowUps(engine, aggregates, event)
    return result instanceof Refusal ? [result.message] : []
  }

  const walkAll = async (
    policy: Policy,
    event: RecordedEvent,
    index: number,
    { each, where, one }: Batch,
    turn: BatchTurn,
  ) => {
    const reasons: string[] = []
    const walked = await runBatch(partOf(turn, policy.name), {
      readers,
      resource: each,
      audience: { where },
      room,
      async perform(id) {
        const refused = await perform({ event, by: policy.name }, one(id), index)
        if (refused !== undefined && reasons.length < MOST_REASONS) reasons.push(refused)
        return refused
      },
    })
    return walked === 'stopped' ? walked : reasons
  }

  const follow = async (
    policy: Policy,
    event: RecordedEvent,
    turn: BatchTurn,
  ): Promise<'stopped' | readonly string[]> => {
    const reasons: string[] = []
    await seen(event)
    const follows = await withIds(ids, async () => policy.react(event, readers.live, mintFrom(ids)))
    for (const [index, consequence] of follows.entries()) {
      const refused =
        'each' in consequence
          ? await walkAll(policy, event, index, consequence, turn)
          : await perform({ event, by: policy.name }, consequence, index)
      if (refused === 'stopped') return refused
      if (refused !== undefined) reasons.push(...(typeof refused === 'string' ? [refused] : refused))
    }
    return reasons
  }

  return inStreams({
    name: 'policies',
    on: 'all',
    concerns: ({ type, metadata }) => byType.has(type) || metadata.follow_ups !== undefined,
    group: ({ metadata }) => `policies:${metadata.workspace_id ?? 0}`,
    width: WIDTH,
    maxAttempts: TRIES,
    former: { checkpoint: 'policies', from: 'there' },
    async react(event, turn): Promise<Outcome> {
      await seen(event)
      const reasons = await complete(event)
      let failure: unknown
      for (const policy of byType.get(event.type) ?? []) {
        try {
          const refused = await follow(policy, event, turn)
          if (refused === 'stopped') return STOPPED
          reasons.push(...refused.map((reason) => `${policy.name}: ${reason}`))
        } catch (error) {
          // One policy that fails keeps none of the others; all are tried again with it, which changes nothing.
          if (isPassing(error)) throw error
          failure ??= new Error(`${policy.name}: ${error instanceof Error ? error.message : error}`, { cause: error })
        }
      }
      if (failure) throw failure
      return reasons.length > 0 ? { came: 'refused', reasons } : DONE
    },
  })
}
