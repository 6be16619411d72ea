import { refuse } from '../../domain/kernel/values/refusal.ts'
import { Quota, type QuotaBounds } from './quota.ts'

/** Memory that the body of one request takes. */
export interface HeldMemory {
  /** Takes more bytes. @throws {Refusal} tooMany, when bodies of the same sender hold too much; unavailable, when all bodies together do */
  grow(bytes: number): void
  /** Gives back all of it. */
  release(): void
}

/** Returns a function that holds memory for the bodies that a sender sends at the same time. */
export const bodyMemory = <K extends string | number>(bounds: QuotaBounds): ((sender: K) => HeldMemory) => {
  const quota = new Quota<K>(bounds)
  return (sender) => {
    let held = 0
    return {
      grow(bytes) {
        const exceeded = quota.take(sender, bytes)
        if (exceeded === 'each') throw refuse.tooMany('too many bodies are being sent at once', 1)
        if (exceeded) throw refuse.unavailable('too many bodies are being received at once')
        held += bytes
      },
      release() {
        quota.give(sender, held)
        held = 0
      },
    }
  }
}
