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
import type { Caused, Performer } from './perform.ts'

interface PolicyDeps {
  readonly policies: readonly Policy[]
  /** By name, because the log stores follow-ups with the names of aggregates. */
  readonly aggregates: ReadonlyMap<string, Decider>
  readonly engine: Engine
  readonly ids: Ids
  readonly readers: Readers
  readonly perform: Performer
  /** Waits until the documents are at least as new as an event. */
  readonly seen: (event: RecordedEvent) => Promise<void>
  readonly room: Semaphore
}

const GROUP_LIMIT = 8
const TRIES = 10
/** Highest number of refusals of one batch that are stored. */
const MOST_REASONS = 100

/** Returns a turn whose cursor is the part of one policy in the cursor of the reaction. */
const partOf = (turn: BatchTurn, name: string): BatchTurn => ({
  stopping: turn.stopping,
  cursor: async () => {
    const stored = await turn.cursor()
    return (isJsonObject(stored) && stored[name]) || null
  },
  saveCursor: async (value) => {
    const stored = await turn.cursor()
    await turn.saveCursor({ ...(isJsonObject(stored) && stored), [name]: value })
  },
})

/** Completes a request whose process ended before its follow-ups were done. Usually they were done long ago. */
const completeFollowUps = async ({ engine, aggregates }: PolicyDeps, event: RecordedEvent): Promise<string[]> => {
  if (!event.metadata.follow_ups) return []
  const result = await finishFollowUps(engine, aggregates, event)
  return result instanceof Refusal ? [result.message] : []
}

/** Carries out the commands of a batch. @returns the first reasons for which some were refused */
const performBatch = async (
  { readers, room, perform }: PolicyDeps,
  cause: Caused,
  { each, where, one }: Batch,
  index: number,
  turn: BatchTurn,
): Promise<'stopped' | readonly string[]> => {
  const reasons: string[] = []
  const result = await runBatch(partOf(turn, cause.by), {
    readers,
    resource: each,
    audience: { where },
    room,
    async perform(id) {
      const refused = await perform(cause, one(id), index)
      if (refused !== undefined && reasons.length < MOST_REASONS) reasons.push(refused)
      return refused
    },
  })
  return result === 'stopped' ? result : reasons
}

/** Runs a policy and carries out its commands. @returns the reasons for which some were refused */
const runPolicy = async (
  deps: PolicyDeps,
  policy: Policy,
  event: RecordedEvent,
  turn: BatchTurn,
): Promise<'stopped' | readonly string[]> => {
  const { ids, readers, perform, seen } = deps
  const cause: Caused = { event, by: policy.name }
  const reasons: string[] = []
  await seen(event)
  const consequences = await withIds(ids, async () => policy.react(event, readers.live, mintFrom(ids)))
  for (const [index, consequence] of consequences.entries()) {
    const refused =
      'each' in consequence
        ? await performBatch(deps, cause, consequence, index, turn)
        : await perform(cause, consequence, index)
    if (refused === 'stopped') return refused
    if (refused !== undefined) reasons.push(...(typeof refused === 'string' ? [refused] : refused))
  }
  return reasons
}

/** Returns the reaction that completes follow-ups and runs policies. The events of one stream are handled in order. */
export const policyReaction = (deps: PolicyDeps): Reaction => {
  const byType = new Map<string, Policy[]>()
  for (const policy of deps.policies)
    for (const { type } of policy.on) byType.set(type, [...(byType.get(type) ?? []), policy])
  return inStreams({
    name: 'policies',
    on: 'all',
    concerns: ({ type, metadata }) => byType.has(type) || metadata.follow_ups !== undefined,
    group: ({ metadata }) => `policies:${metadata.workspace_id ?? 0}`,
    width: GROUP_LIMIT,
    maxAttempts: TRIES,
    former: { checkpoint: 'policies', from: 'there' },
    async react(event, turn): Promise<Outcome> {
      await deps.seen(event)
      const reasons = await completeFollowUps(deps, event)
      let failure: unknown
      for (const policy of byType.get(event.type) ?? []) {
        try {
          const refused = await runPolicy(deps, policy, event, turn)
          if (refused === 'stopped') return STOPPED
          reasons.push(...refused.map((reason) => `${policy.name}: ${reason}`))
        } catch (error) {
          // A policy that fails does not stop the others. All are tried again with it, which changes nothing.
          if (isPassing(error)) throw error
          failure ??= new Error(`${policy.name}: ${error instanceof Error ? error.message : error}`, { cause: error })
        }
      }
      if (failure) throw failure
      return reasons.length > 0 ? { came: 'refused', reasons } : DONE
    },
  })
}
