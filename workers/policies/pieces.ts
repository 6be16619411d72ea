import type { PieceBatch } from '../../domain/kernel/react/policy.ts'
import { isJsonObject, type Json } from '../../domain/kernel/values/event.ts'
import { nextTurn } from '../../domain/kernel/values/turns.ts'
import type { BatchTurn } from '../reactor/reaction.ts'
import { targetsAfter } from '../reactor/targets.ts'
import type { Caused } from './perform.ts'
import type { RunDeps } from './run.ts'

/** Where a batch is: behind which id the present piece begins, and with which it ends; 0: that is not decided yet. A stored format. */
type PiecePlace = { readonly after: number; readonly up_to: number }

const placeIn = (stored: Json): PiecePlace =>
  isJsonObject(stored) ? { after: Number(stored.after), up_to: Number(stored.up_to) } : { after: 0, up_to: 0 }

/**
 * Carries out the commands of a batch in pieces. Where a piece ends is stored before it is begun, so a piece that is done again after a kill has the same
 * end, and no document gets into two.
 */
export const performPieces = async (
  { readers, perform }: Pick<RunDeps, 'readers' | 'perform'>,
  cause: Caused,
  { inPieces, where, piece }: PieceBatch,
  { index, turn }: { readonly index: number; readonly turn: BatchTurn },
): Promise<'stopped' | readonly string[]> => {
  const reasons: string[] = []
  let { after, up_to } = placeIn(await turn.cursor())
  for (;;) {
    if (turn.stopping()) return 'stopped'
    const { documents } = await targetsAfter(readers, inPieces, { where }, after)
    const last = up_to || Number(documents.at(-1)?.id ?? 0)
    if (last === 0) return reasons
    if (up_to === 0) await turn.saveCursor({ after, up_to: last })
    const asked = piece(
      documents.filter(({ id }) => Number(id) <= last),
      after,
    )
    const refused = asked && (await perform(cause, asked, `${index}:${after}`))
    if (refused !== undefined) reasons.push(refused)
    after = last
    up_to = 0
    await turn.saveCursor({ after, up_to })
    await nextTurn()
  }
}
