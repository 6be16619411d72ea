import { isJsonObject } from '../../domain/kernel/values/event.ts'
import type { Audience } from '../../domain/resources/jobs/audience.ts'
import { BEGUN, further, type Progress, recordedIn } from './progress.ts'
import type { BatchTurn } from './reaction.ts'
import type { Semaphore } from './semaphore.ts'
import { type Readers, targetsAfter } from './targets.ts'

interface Way {
  readonly readers: Readers
  /** The collection. */
  readonly resource: string
  readonly audience: Audience
  /** Shared with others: what has no hurry leaves room for what has. */
  readonly room: Semaphore
  /** Does it to one. @returns why it was refused, if it was */
  readonly perform: (target: number) => Promise<string | undefined>
  /** Told after each page but the last. @returns whether to go on */
  readonly onPage?: (progress: Progress) => Promise<boolean>
  /** How far it had got before anything was kept of it. */
  readonly from?: Progress
}

/**
 * Does something to each of an audience, in the order of ids, a page at a time; after a stop or a kill it goes on behind the last page. What is
 * kept takes the same room whatever the audience.
 *
 * @returns how far it has come in the end, or what ended it before
 */
export const runBatch = async (turn: BatchTurn, way: Way): Promise<Progress | 'stopped' | 'called off'> => {
  const { readers, resource, audience, room, perform, onPage, from = BEGUN } = way
  const kept = await turn.cursor()
  let progress = isJsonObject(kept) ? recordedIn(kept) : from
  for (;;) {
    if (turn.stopping()) return 'stopped'
    const { ids, next } = await targetsAfter(readers, resource, audience, progress.cursor)
    const reasons = await Promise.all(ids.map((id) => room.run(() => perform(id))))
    const refused = ids.filter((_, n) => reasons[n] !== undefined)
    progress = further(progress, ids, refused, next > 0 ? next : (ids.at(-1) ?? progress.cursor))
    if (next === 0) return progress
    await turn.keep(progress)
    if (onPage && !(await onPage(progress))) return 'called off'
  }
}
