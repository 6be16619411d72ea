import type { Decider } from '../domain/kernel/decide/decider.ts'
import { type AwaitPosition, onceReadable } from '../domain/kernel/engine/readable.ts'
import type { Blobs } from '../domain/kernel/ports/blobs.ts'
import type { Adapters } from '../domain/kernel/ports/calls.ts'
import type { Checkpoints } from '../domain/kernel/ports/checkpoints.ts'
import type { Policy } from '../domain/kernel/react/policy.ts'
import type { HasEventType, RecordedEvent } from '../domain/kernel/values/event.ts'
import type { OrphanedBlobs } from '../domain/resources/family.ts'
import type { Job } from '../domain/resources/jobs/job.ts'
import type { Process } from '../domain/resources/process/index.ts'
import { orphanedBlobsReaction } from './blobs/reaction.ts'
import { processReactions } from './calls/reactions.ts'
import { erasureReaction } from './erasure/reaction.ts'
import { jobReaction } from './jobs/reaction.ts'
import { performer } from './policies/perform.ts'
import { policyReaction } from './policies/reaction.ts'
import type { Reaction } from './reactor/reaction.ts'
import { Reactor } from './reactor/reactor.ts'
import type { ReactorDeps } from './reactor/reactor-deps.ts'
import { register } from './reactor/register.ts'
import { createSemaphore } from './reactor/semaphore.ts'
import { type TimerNotes, timerReaction } from './timers/reaction.ts'
import { webhookReactions } from './webhooks/reactions.ts'
import type { WebhookDeps } from './webhooks/webhook-deps.ts'

/** What reactions are carried out with. */
export interface ReactionDeps extends ReactorDeps, Omit<WebhookDeps, 'seen'> {
  readonly timerNotes: TimerNotes
  readonly policies: readonly Policy[]
  readonly jobs: readonly Job[]
  readonly orphanedBlobs: readonly OrphanedBlobs[]
  readonly processes: readonly Process[]
  /** Who is called by them. */
  readonly adapters: Adapters
  readonly erasures: readonly HasEventType[]
  readonly aggregates: ReadonlyMap<string, Decider>
  readonly blobs: Blobs
  /** Of the runners before there were books. */
  readonly checkpoints: Checkpoints
  /** Whether the read models got to a position in time. */
  readonly reached: AwaitPosition
  /** Whether all of it is to end: what waits for the read models waits no more. */
  readonly isOver: () => boolean
  /** Drops what this process keeps of opened data. */
  readonly forget: () => void
}

/** Commands of walks that are under way at once. */
const WALKING = 64

/** Everything that follows from events. */
export const reactionsOf = (deps: ReactionDeps): readonly Reaction[] => {
  const { reached, isOver } = deps
  /** Position of the last consequence: what reacts sees what was done before. */
  let written = -1
  const onWritten = (position: number) => {
    written = Math.max(written, position)
  }
  const seen = async ({ position }: Pick<RecordedEvent, 'position'>) => {
    await onceReadable(reached, Math.max(position, written), isOver)
  }
  const room = createSemaphore(WALKING)
  const perform = performer({ ...deps, onWritten })
  return [
    policyReaction({ ...deps, readers: deps, perform, seen, room }),
    erasureReaction(deps),
    orphanedBlobsReaction(deps),
    jobReaction({ ...deps, seen, room }),
    timerReaction({ ...deps, resources: deps.resources.values(), notes: deps.timerNotes, seen }),
    ...processReactions(deps, deps.processes),
    ...webhookReactions({ ...deps, seen }),
  ]
}

/** Starts the reactor behind what it has done. */
export const startReactor = async (deps: ReactionDeps): Promise<Reactor> => {
  const reactions = reactionsOf(deps)
  const enrolled = await register(deps, reactions)
  if (enrolled.ahead !== undefined)
    deps.logger.warn(
      { position: enrolled.ahead },
      'the books have got further than the log, of which an older copy seems to have been restored: everything that follows is looked at once more',
    )
  const reactor = new Reactor(deps, reactions, enrolled)
  await reactor.start()
  return reactor
}
