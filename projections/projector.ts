import type { EventLog, Subscription } from '../domain/kernel/ports/event-log.ts'
import type { ReadModels } from '../domain/kernel/ports/read-models.ts'
import type { Projection } from './projection.ts'
import { Waiters } from './waiters.ts'

/** Updates the live read models from the log and tells when they have reached a position. */
export interface Projector {
  /** Resolves to true once everything up to this position is readable, to false after the timeout. */
  reached(position: number, timeoutMs: number): Promise<boolean>
  /** Position up to which documents are readable. */
  readonly position: number
  /** Stops following, for example while the read models are being swapped. Callers that wait keep waiting. */
  pause(): Promise<void>
  /** Continues after the checkpoint that the live read models then have. */
  resume(): Promise<void>
  /** Stops for good. For callers that wait, `reached` resolves to false. */
  stop(): Promise<void>
}

interface ProjectorDeps {
  readonly log: EventLog
  readonly live: ReadModels
  readonly project: Projection
  /** Called when an error ended the subscription. The process can no longer serve reads. */
  readonly onFailure: (error: unknown) => void
}

/** Starts projecting after the checkpoint of the live read models. */
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
    reached: async (target, timeoutMs) => target <= position || waiters.wait(target, timeoutMs),
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
