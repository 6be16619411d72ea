import type { EventLog, Subscription } from '../domain/kernel/ports/event-log.ts'
import type { ReadModels } from '../domain/kernel/ports/read-models.ts'
import type { Projection } from './projection.ts'
import { Waiters } from './waiters.ts'

/** Keeps the live read models up with the log and tells when they have got somewhere. */
export interface Projector {
  /** Resolves to true once everything up to this position is readable, to false when that took too long. */
  reached(position: number, timeoutMs: number): Promise<boolean>
  /** Position up to which documents are readable. */
  readonly position: number
  /** Stops following, as while the read models are being swapped; whoever waits goes on waiting. */
  pause(): Promise<void>
  /** Goes on behind the checkpoint that the live read models have by then. */
  resume(): Promise<void>
  /** Stops for good: whoever waits is told that it took too long. */
  stop(): Promise<void>
}

interface ProjectorDeps {
  readonly log: EventLog
  readonly live: ReadModels
  readonly project: Projection
  /** Told when the subscription ended by an error: the process cannot go on serving reads. */
  readonly onFailure: (error: unknown) => void
}

/** Starts projecting behind the checkpoint of the live read models. */
export const startProjector = async ({ log, live, project, onFailure }: ProjectorDeps): Promise<Projector> => {
  let position = await live.checkpoint()
  const waiters = new Waiters()
  const follow = (): Subscription =>
    log.subscribe(
      async (batch) => {
        await project(batch, live)
        position = batch.at(-1)?.position ?? position
        waiters.reach(position)
      },
      { after: position, onError: onFailure },
    )
  let subscription: Subscription | undefined = follow()
  const pause = async () => {
    await subscription?.close()
    subscription = undefined
  }
  return {
    get position() {
      return position
    },
    reached: async (wanted, timeoutMs) => wanted <= position || waiters.wait(wanted, timeoutMs),
    pause,
    async resume() {
      position = await live.checkpoint()
      subscription ??= follow()
      waiters.reach(position)
    },
    async stop() {
      await pause()
      waiters.giveUp()
    },
  }
}
