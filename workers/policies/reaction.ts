import type { Decider } from '../../domain/kernel/decide/decider.ts'
import type { Engine } from '../../domain/kernel/engine/engine.ts'
import { finishFollowUps } from '../../domain/kernel/engine/follow-up.ts'
import type { Policy } from '../../domain/kernel/react/policy.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { DONE, inStreams, type Outcome, type Reaction, STOPPED } from '../reactor/reaction.ts'
import { isPassing } from '../retry-while-unavailable.ts'
import { type RunDeps, runPolicy } from './run.ts'

interface PolicyDeps extends RunDeps {
  readonly policies: readonly Policy[]
  /** By name, because the log stores follow-ups with the names of aggregates. */
  readonly aggregates: ReadonlyMap<string, Decider>
  readonly engine: Engine
}

const GROUP_LIMIT = 8
const TRIES = 10

/**
 * Completes a request whose process ended before its follow-ups were done. Usually they were done long ago. Policies see what they have made: they
 * would take a record for ended to which the event refers and which only the follow-ups create.
 */
const completeFollowUps = async ({ engine, aggregates, seen }: PolicyDeps, event: RecordedEvent): Promise<string[]> => {
  if (!event.metadata.follow_ups) return []
  const result = await finishFollowUps(engine, aggregates, event)
  if (result instanceof Refusal) return [result.message]
  if (result > event.position) await seen({ ...event, position: result })
  return []
}

/** Returns the reaction that completes follow-ups and runs policies. The events of one stream are handled in order. */
export const policyReaction = (deps: PolicyDeps): Reaction => {
  const byType = new Map<string, Policy[]>()
  for (const policy of deps.policies)
    for (const { type } of policy.on) byType.set(type, [...(byType.get(type) ?? []), policy])

  const policiesFor = (event: RecordedEvent): readonly Policy[] =>
    (byType.get(event.type) ?? []).filter(({ when }) => when?.(event) ?? true)

  return inStreams({
    name: 'policies',
    on: 'all',
    concerns: (event) => event.metadata.follow_ups !== undefined || policiesFor(event).length > 0,
    group: ({ metadata }) => `policies:${metadata.workspace_id ?? 0}`,
    width: GROUP_LIMIT,
    maxAttempts: TRIES,
    former: { checkpoint: 'policies', from: 'there' },
    async react(event, turn): Promise<Outcome> {
      await deps.seen(event)
      const reasons = await completeFollowUps(deps, event)
      let failure: unknown
      for (const policy of policiesFor(event)) {
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
