import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { isJsonObject } from '../../domain/kernel/values/event.ts'
import type { Audience } from '../../domain/resources/jobs/audience.ts'
import { advanceProgress, BEGUN, type Progress, readProgress } from './progress.ts'
import type { BatchTurn } from './reaction.ts'
import type { Semaphore } from './semaphore.ts'
import { type Readers, targetsAfter } from './targets.ts'

interface BatchSpec {
  readonly readers: Readers
  /** Collection of the records. */
  readonly resource: string
  readonly audience: Audience
  /** Shared by batches, so that they leave capacity for urgent work. */
  readonly room: Semaphore
  /** Processes one record. @returns why it was refused, if it was */
  readonly perform: (target: number, document: Document) => Promise<string | undefined>
  /** Called before each page. @returns why none of its records can be processed */
  readonly objection?: () => Promise<string | undefined>
  /** Called after each page but the last. @returns whether to continue */
  readonly onPage?: (progress: Progress) => Promise<boolean>
  /** Progress to begin with if no cursor is stored. */
  readonly from?: Progress
}

/**
 * Processes each record of an audience, a page at a time, in the order of ids unless the audience has another. After a stop
 * or a kill it continues after the last page. The stored progress is bounded, however large the audience.
 *
 * @returns the final progress, or what ended the batch early
 */
export const runBatch = async (turn: BatchTurn, spec: BatchSpec): Promise<Progress | 'stopped' | 'called off'> => {
  const { readers, resource, audience, room, perform, objection, onPage, from = BEGUN } = spec
  const stored = await turn.cursor()
  let progress = isJsonObject(stored) ? readProgress(stored) : from
  for (;;) {
    if (turn.stopping()) return 'stopped'
    const { documents, next } = await targetsAfter(readers, resource, audience, progress.cursor)
    const ids = documents.map(({ id }) => Number(id))
    const objected = await objection?.()
    const outcome = (document: Document, n: number) => objected ?? room.run(() => perform(ids[n]!, document))
    const reasons = await Promise.all(documents.map(outcome))
    const refused = ids.filter((_, n) => reasons[n] !== undefined)
    const [reason] = reasons.filter((one) => one !== undefined)
    const cursor = next > 0 ? next : (ids.at(-1) ?? progress.cursor)
    progress = advanceProgress(progress, ids, refused, reason, cursor)
    if (next === 0) return progress
    await turn.saveCursor(progress)
    if (onPage && !(await onPage(progress))) return 'called off'
  }
}
