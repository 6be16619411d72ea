import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { ReactorStore } from '../../domain/kernel/ports/reactor-store.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { holdCopy, releaseCopy, storedCopy } from '../../workers/older-copy.ts'

interface CopyDeps {
  readonly log: Pick<EventLog, 'lastPosition'>
  readonly reactorStore: Pick<ReactorStore, 'cursor' | 'write'>
  /** Whether workers run in this process. */
  readonly isWorking: () => boolean
}

/** What is known of whether the data are a copy. */
export interface ShownCopy {
  /** `original`; `copy`: one that was let go on; `waiting`: one of which nothing leaves the house. */
  readonly data: 'original' | 'copy' | 'waiting'
  /** Position of the last event of the copy. */
  readonly up_to: number | null
  /** When the copy was first started. */
  readonly started_at: string | null
}

/** Returns the operator's words on copies of the data. */
export const operatorCopy = ({ log, reactorStore, isWorking }: CopyDeps) => ({
  async show(): Promise<ShownCopy> {
    const { upTo, startedAt, waits } = await storedCopy(reactorStore)
    const isCopy = waits || upTo >= 0
    return {
      data: waits ? 'waiting' : isCopy ? 'copy' : 'original',
      up_to: isCopy ? upTo : null,
      started_at: startedAt === '' ? null : startedAt,
    }
  },

  /** Lets a copy go on. @throws {Refusal} invalid, when it does not wait */
  async release(): Promise<void> {
    if (!(await releaseCopy(reactorStore))) throw refuse.invalid('these data do not wait for a word')
  },

  /** Says that the data are a copy, from the next start on. @throws {Refusal} invalid, while workers run here */
  async hold(): Promise<void> {
    if (isWorking())
      throw refuse.invalid('the service runs: stop it first, since what it sends meanwhile cannot be taken back')
    await holdCopy(reactorStore, await log.lastPosition())
  },
})

export type OperatorCopy = ReturnType<typeof operatorCopy>
