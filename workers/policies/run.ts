import type { Ask } from '../../domain/kernel/decide/ask.ts'
import { beside } from '../../domain/kernel/decide/bound-reader.ts'
import type { Batch, PieceBatch, Policy } from '../../domain/kernel/react/policy.ts'
import { isJsonObject, type RecordedEvent } from '../../domain/kernel/values/event.ts'
import { type Ids, mintFrom, withIds } from '../../domain/kernel/values/ids.ts'
import { runBatch } from '../reactor/batch.ts'
import type { BatchTurn } from '../reactor/reaction.ts'
import type { Semaphore } from '../reactor/semaphore.ts'
import type { Readers } from '../reactor/targets.ts'
import type { Caused, Performer } from './perform.ts'
import { performPieces } from './pieces.ts'

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

/** Carries out the commands of a batch. @returns the first reasons for which some were refused */
const performBatch = async (
  { readers, room, perform }: RunDeps,
  cause: Caused,
  { each, where, one }: Batch,
  index: number,
  turn: BatchTurn,
): Promise<'stopped' | readonly string[]> => {
  const reasons: string[] = []
  const result = await runBatch(partOf(turn, cause.by, index), {
    readers,
    resource: each,
    audience: { where },
    room,
    async perform(id, document) {
      const refused = await perform(cause, one(id, document), index)
      if (refused !== undefined && reasons.length < MOST_REASONS) reasons.push(refused)
      return refused
    },
  })
  return result === 'stopped' ? result : reasons
}

/** Carries out what one consequence of a policy asks for. @returns the reasons for which some of it was refused, or that the process is stopping */
const performOne = async (
  deps: RunDeps,
  cause: Caused,
  consequence: Ask | Batch | PieceBatch,
  index: number,
  turn: BatchTurn,
): Promise<'stopped' | readonly string[]> => {
  if ('each' in consequence) return performBatch(deps, cause, consequence, index, turn)
  if ('inPieces' in consequence)
    return performPieces(deps, cause, consequence, { index, turn: partOf(turn, cause.by, index) })
  const refused = await deps.perform(cause, consequence, index)
  return refused === undefined ? [] : [refused]
}

/** Runs a policy and carries out its commands. @returns the reasons for which some were refused, or that the process is stopping */
export const runPolicy = async (
  deps: RunDeps,
  policy: Policy,
  event: RecordedEvent,
  turn: BatchTurn,
): Promise<'stopped' | readonly string[]> => {
  const { ids, readers, seen } = deps
  const cause: Caused = { event, by: policy.name }
  const reasons: string[] = []
  await seen(event)
  const consequences = await withIds(ids, async () =>
    policy.react(event, beside(readers.live, event.metadata), mintFrom(ids)),
  )
  for (const [index, consequence] of consequences.entries()) {
    const refused = await performOne(deps, cause, consequence, index, turn)
    if (refused === 'stopped') return refused
    reasons.push(...refused)
  }
  return reasons
}
