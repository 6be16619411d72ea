import type { Batch, Policy } from '../../domain/kernel/react/policy.ts'
import { isJsonObject, type RecordedEvent } from '../../domain/kernel/values/event.ts'
import { type Ids, mintFrom, withIds } from '../../domain/kernel/values/ids.ts'
import { runBatch } from '../reactor/batch.ts'
import type { BatchTurn } from '../reactor/reaction.ts'
import type { Semaphore } from '../reactor/semaphore.ts'
import type { Readers } from '../reactor/targets.ts'
import type { Performer } from './perform.ts'

/** Dependencies of running policies. */
export interface RunDeps {
  readonly ids: Ids
  readonly readers: Readers
  readonly perform: Performer
  /** Waits until the documents are at least as new as an event. */
  readonly seen: (event: RecordedEvent) => Promise<void>
  readonly room: Semaphore
}

/** Highest number of refusals of one batch that are stored. */
const MOST_REASONS = 100

/** Returns a turn whose cursor is the part of one batch of a policy in the cursor of the reaction. Stored: the first has the name of its policy. */
const partOf = (turn: BatchTurn, policy: string, index: number): BatchTurn =>
  partNamed(turn, index === 0 ? policy : `${policy}#${index}`)

const partNamed = (turn: BatchTurn, name: string): BatchTurn => ({
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

/** Returns a function that runs a policy on an event. @returns why commands were refused, or that the process is stopping */
export const policyRunner = ({ ids, readers, perform, seen, room }: RunDeps) => {
  const runEach = async (
    policy: Policy,
    event: RecordedEvent,
    index: number,
    { each, where, one }: Batch,
    turn: BatchTurn,
  ) => {
    const reasons: string[] = []
    const result = await runBatch(partOf(turn, policy.name, index), {
      readers,
      resource: each,
      audience: { where },
      room,
      async perform(id, document) {
        const refused = await perform({ event, by: policy.name }, one(id, document), index)
        if (refused !== undefined && reasons.length < MOST_REASONS) reasons.push(refused)
        return refused
      },
    })
    return result === 'stopped' ? result : reasons
  }

  const runPolicy = async (
    policy: Policy,
    event: RecordedEvent,
    turn: BatchTurn,
  ): Promise<'stopped' | readonly string[]> => {
    const reasons: string[] = []
    await seen(event)
    const consequences = await withIds(ids, async () => policy.react(event, readers.live, mintFrom(ids)))
    for (const [index, consequence] of consequences.entries()) {
      const refused =
        'each' in consequence
          ? await runEach(policy, event, index, consequence, turn)
          : await perform({ event, by: policy.name }, consequence, index)
      if (refused === 'stopped') return refused
      if (refused !== undefined) reasons.push(...(typeof refused === 'string' ? [refused] : refused))
    }
    return reasons
  }

  return runPolicy
}
