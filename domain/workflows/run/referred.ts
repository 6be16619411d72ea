import type { Reader } from '../../kernel/decide/rules.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import { stepTypeOf } from '../steps/index.ts'
import { findNamed, foundIn, idsIn } from '../workflow/named.ts'
import type { FrozenStep } from '../workflow/tree.ts'

/** Returns the records that a setting names and that are there; for users their memberships of the team. */
export type Referred = (setting: string) => readonly Document[]

/** Reads what a step refers to and cannot do without. @returns why it fails, where nothing of a setting is there */
export const referredBy = async (
  { type, settings }: Pick<FrozenStep, 'type' | 'settings'>,
  workspaceId: number,
  read: Reader,
): Promise<Referred | { readonly gone: string }> => {
  const needed = Object.entries(stepTypeOf(type).refers).filter(([, { gone }]) => gone !== undefined)
  const names = idsIn(settings, Object.fromEntries(needed.map(([setting, { to }]) => [setting, to])))
  const found = await findNamed(names, workspaceId, read)
  const referred: Referred = (setting) =>
    names.filter(({ field }) => field === setting).flatMap(({ kind, id }) => foundIn(found, kind, id) ?? [])
  const [, lost] = needed.find(([setting]) => referred(setting).length === 0) ?? []
  return lost?.gone === undefined ? referred : { gone: lost.gone }
}
