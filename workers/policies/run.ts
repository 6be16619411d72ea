import type { Logger } from 'pino'
import type { Decider } from '../../domain/kernel/deciding.ts'
import type { Engine } from '../../domain/kernel/engine.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { finishFollowUps } from '../../domain/kernel/follow-up.ts'
import { type Ids, withIds } from '../../domain/kernel/id.ts'
import type { Consequence, Policy } from '../../domain/kernel/policy.ts'
import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { EventLog, Subscription } from '../../domain/kernel/ports/event-log.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import { Refusal, refuse } from '../../domain/kernel/refusal.ts'
import { derivedId } from '../derived-id.ts'
import { outlasting } from '../outlast.ts'

interface PolicyParts {
  readonly policies: readonly Policy[]
  /** By name: what requests still had to do is kept in the log with the names of aggregates. */
  readonly aggregates: ReadonlyMap<string, Decider>
  readonly engine: Engine
  readonly log: EventLog
  readonly live: ReadModels
  readonly checkpoints: Checkpoints
  /** Policies look at documents: they wait until those have got to the event. */
  readonly reached: (position: number, timeoutMs: number) => Promise<boolean>
  readonly ids: Ids
  readonly logger: Logger
  readonly onFailure: (error: unknown) => void
}

const REACTOR = 'policies'
const READ_SIDE_MS = 30_000

/** Documents that do not come may be on a disk that is full. */
const notFollowing = () => refuse.unavailable('the read models do not follow the log')

/** Carries out what follows from events, at least once each, behind a checkpoint of its own. */
export const startPolicies = async (parts: PolicyParts): Promise<Subscription> => {
  const { policies, aggregates, engine, log, live, checkpoints, reached, ids, logger, onFailure } = parts
  const byType = new Map<string, Policy[]>()
  for (const policy of policies) for (const type of policy.on) byType.set(type, [...(byType.get(type) ?? []), policy])

  /** Position of the last consequence: policies see what those before them did. */
  let written = -1

  const carryOut = async (policy: Policy, event: RecordedEvent, consequence: Consequence, index: number) => {
    const cause = [event.id, policy.name, index] as const
    const isNew = consequence.id === 'new'
    const id = consequence.id === 'new' ? ids.next(consequence.aggregate.name) : consequence.id
    const result = await engine.transact({
      aggregate: consequence.aggregate,
      id,
      isNew,
      command: { id, ...consequence.command(ids.next) },
      causationId: event.id,
      correlationId: event.metadata.$correlationId,
      ...(event.metadata.team_id !== undefined && { teamId: event.metadata.team_id }),
      ...(event.metadata.workspace_id !== undefined && { workspaceId: event.metadata.workspace_id }),
      ...(isNew
        ? { once: { key: `cause:${cause.join(':')}` } }
        : { eventIds: (number: number) => derivedId(...cause, number) }),
    })
    if (result instanceof Refusal)
      logger.info({ policy: policy.name, event: event.id, reason: result.message }, 'consequence refused')
    else written = Math.max(written, result.position)
  }

  /** A request that the process did not live to complete is completed now; mostly that was done long ago. */
  const complete = async (event: RecordedEvent) => {
    if (!event.metadata.follow_ups) return
    if (!(await reached(event.position, READ_SIDE_MS))) throw notFollowing()
    const result = await finishFollowUps(engine, aggregates, event)
    if (result instanceof Refusal) logger.info({ event: event.id, reason: result.message }, 'follow-up refused')
  }

  const react = async (batch: readonly RecordedEvent[]) => {
    for (const event of batch) {
      await complete(event)
      for (const policy of byType.get(event.type) ?? []) {
        if (!(await reached(Math.max(event.position, written), READ_SIDE_MS))) throw notFollowing()
        const consequences = await policy.react(event, live)
        for (const [index, consequence] of consequences.entries())
          await withIds(ids, () => carryOut(policy, event, consequence, index))
      }
    }
    await checkpoints.set(REACTOR, batch.at(-1)!.position)
  }

  let stopped = false
  const subscription = log.subscribe(
    outlasting(react, REACTOR, logger, () => stopped),
    { after: await checkpoints.get(REACTOR), onError: (error) => stopped || onFailure(error) },
  )
  return {
    close() {
      stopped = true
      return subscription.close()
    },
  }
}
