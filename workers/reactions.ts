import type { Decider } from '../domain/kernel/decide/decider.ts'
import { type AwaitPosition, waitUntilReadable } from '../domain/kernel/engine/readable.ts'
import type { Blobs } from '../domain/kernel/ports/blobs.ts'
import type { Adapters } from '../domain/kernel/ports/calls.ts'
import type { Checkpoints } from '../domain/kernel/ports/checkpoints.ts'
import type { Policy } from '../domain/kernel/react/policy.ts'
import type { HasEventType, RecordedEvent } from '../domain/kernel/values/event.ts'
import type { OrphanedBlobs } from '../domain/resources/family.ts'
import type { Job } from '../domain/resources/jobs/job.ts'
import type { Process } from '../domain/resources/process/index.ts'
import { type InvitationMailDeps, invitationMailReaction } from './accounts/invitation-mail.ts'
import { orphanedBlobsReaction } from './blobs/reaction.ts'
import { broadcastReaction } from './broadcasts/reaction.ts'
import { processReactions } from './calls/reactions.ts'
import { erasureReaction } from './erasure/reaction.ts'
import { jobReaction } from './jobs/reaction.ts'
import type { MailDeps } from './mail/mail-deps.ts'
import { mailReaction } from './mail/reaction.ts'
import type { OlderCopy } from './older-copy.ts'
import { performer } from './policies/perform.ts'
import { policyReaction } from './policies/reaction.ts'
import type { Reaction } from './reactor/reaction.ts'
import { Reactor } from './reactor/reactor.ts'
import type { ReactorDeps } from './reactor/reactor-deps.ts'
import { register } from './reactor/register.ts'
import { createSemaphore } from './reactor/semaphore.ts'
import { brokenStepsMailReaction } from './runs/broken-steps-mail.ts'
import { runReactions } from './runs/reactions.ts'
import type { RunsDeps } from './runs/runs-deps.ts'
import { type TimerNotes, timerReaction } from './timers/reaction.ts'
import { webhookReactions } from './webhooks/reactions.ts'
import type { WebhookDeps } from './webhooks/webhook-deps.ts'

/** Dependencies of all reactions. */
export interface ReactionDeps
  extends ReactorDeps,
    Omit<WebhookDeps, 'seen'>,
    Pick<MailDeps, 'mail' | 'composer' | 'mailLinks' | 'memberLinks'>,
    Pick<InvitationMailDeps, 'invitationLinks' | 'userMail' | 'accountsUrl'>,
    Pick<RunsDeps, 'history' | 'texts'> {
  readonly timerNotes: TimerNotes
  readonly olderCopy: OlderCopy
  readonly policies: readonly Policy[]
  readonly jobs: readonly Job[]
  readonly orphanedBlobs: readonly OrphanedBlobs[]
  readonly processes: readonly Process[]
  /** Adapters that the processes call. */
  readonly adapters: Adapters
  readonly erasures: readonly HasEventType[]
  readonly aggregates: ReadonlyMap<string, Decider>
  readonly blobs: Blobs
  /** Checkpoints of the runners that existed before the reactor store. */
  readonly checkpoints: Checkpoints
  /** Tells whether the read models reach a position in time. */
  readonly reached: AwaitPosition
  /** Whether the workers are stopping. Nothing waits for the read models then. */
  readonly isOver: () => boolean
  /** Clears the decrypted data that this process has cached. */
  readonly forget: () => void
}

/** Commands of batches that run at once, over all policies and jobs. */
const BATCH_COMMANDS = 64

/** Returns all reactions of a process that runs the worker. */
export const reactionsOf = (deps: ReactionDeps): readonly Reaction[] => {
  const { reached, isOver } = deps
  /** Position of the last event that a policy caused. Reactions wait for it, so that they see what policies did before. */
  let written = -1
  const onWritten = (position: number) => {
    written = Math.max(written, position)
  }
  const seen = async ({ position }: Pick<RecordedEvent, 'position'>) => {
    await waitUntilReadable(reached, Math.max(position, written), isOver)
  }
  const room = createSemaphore(BATCH_COMMANDS)
  const perform = performer({ ...deps, onWritten })
  return [
    policyReaction({ ...deps, readers: deps, perform, seen, room }),
    erasureReaction(deps),
    orphanedBlobsReaction(deps),
    jobReaction({ ...deps, seen, room }),
    timerReaction({ ...deps, resources: deps.resources.values(), notes: deps.timerNotes, seen }),
    ...processReactions(deps, deps.processes),
    ...webhookReactions({ ...deps, seen }),
    broadcastReaction({ ...deps, seen }),
    mailReaction({ ...deps, seen }),
    invitationMailReaction({ ...deps, seen }),
    ...runReactions({ ...deps, seen }),
    brokenStepsMailReaction({ ...deps, seen }),
  ]
}

/** Registers the reactions, and starts the reactor at its checkpoint. */
export const startReactor = async (deps: ReactionDeps): Promise<Reactor> => {
  const reactions = reactionsOf(deps)
  const registered = await register(deps, reactions)
  if (registered.ahead !== undefined)
    deps.logger.warn(
      { position: registered.ahead },
      'the books have got further than the log, of which an older copy seems to have been restored: everything that follows is looked at once more',
    )
  const reactor = new Reactor(deps, reactions, registered)
  await reactor.start()
  return reactor
}
