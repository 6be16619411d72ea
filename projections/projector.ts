import type { EventLog, Subscription } from '../domain/kernel/ports/event-log.ts'
import type { ReadModels } from '../domain/kernel/ports/read-models.ts'
import type { Projection } from './projection.ts'

interface Waiter {
  readonly position: number
  readonly settle: (reached: boolean) => void
}

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

interface ProjectorParts {
  readonly log: EventLog
  readonly live: ReadModels
  readonly project: Projection
  /** Told when the subscription ended by an error: the process cannot go on serving reads. */
  readonly onFailure: (error: unknown) => void
}

/** Starts projecting behind the checkpoint of the live read models. */
export const startProjector = async ({ log, live, project, onFailure }: ProjectorParts): Promise<Projector> => {
  let position = await live.checkpoint()
  let waiters: Waiter[] = []
  const wake = () => {
    const ready = waiters.filter((waiter) => waiter.position <= position)
    if (ready.length === 0) return
    waiters = waiters.filter((waiter) => waiter.position > position)
    for (const waiter of ready) waiter.settle(true)
  }
  const follow = (): Subscription =>
    log.subscribe(
      async (batch) => {
        await project(batch, live)
        position = batch.at(-1)?.position ?? position
        wake()
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
    reached: (wanted, timeoutMs) => {
      if (wanted <= position) return Promise.resolve(true)
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          waiters = waiters.filter((waiter) => waiter !== entry)
          resolve(false)
        }, timeoutMs)
        const settle = (reached: boolean) => {
          clearTimeout(timer)
          resolve(reached)
        }
        const entry: Waiter = { position: wanted, settle }
        waiters.push(entry)
      })
    },
    pause,
    async resume() {
      position = await live.checkpoint()
      subscription ??= follow()
      wake()
    },
    async stop() {
      await pause()
      for (const waiter of waiters.splice(0)) waiter.settle(false)
    },
  }
}
