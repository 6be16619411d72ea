import type { FactReader } from '../kernel/decide/command.ts'
import { recordOf } from '../kernel/model/fold.ts'
import type { Document } from '../kernel/ports/read-models.ts'
import type { Vault } from '../kernel/ports/vault.ts'
import { Refusal } from '../kernel/values/refusal.ts'
import { completed } from '../resources/selected.ts'
import { selectionFor } from './criteria/evaluate.ts'
import { openFilter } from './criteria/sealing.ts'
import { refineFilter } from './refine-filter/model.ts'
import { contactFilterState } from './select.ts'

/**
 * Returns the test whether contacts meet a stored filter, or why the filter cannot be used. It tests opened documents, in which personal attributes
 * lie under a field of their own.
 *
 * @param at time from which relative dates count; ISO 8601
 */
export const filterTest = async (
  vault: Pick<Vault, 'open' | 'token'>,
  read: FactReader,
  filter: Document,
  at: string,
): Promise<((contact: Document) => Promise<boolean>) | Refusal> => {
  const state = contactFilterState(recordOf(refineFilter)(filter))
  if (state instanceof Refusal) return state
  const opened = await openFilter(state, (subject, sealed) => vault.open(subject, sealed))
  const selection = selectionFor(opened, { at, token: (purpose, value) => vault.token(purpose, value) })
  return async (contact) => {
    const [whole] = await completed([contact], selection, read)
    return whole !== undefined && (selection.test?.(whole) ?? false)
  }
}
