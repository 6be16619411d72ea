import type { Reader } from '../../kernel/decide/rules.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { variant } from '../../store/public.ts'
import { stepNamingSpace } from '../../workflows/public.ts'

/** What is to be deleted: spaces, and perhaps their group. */
interface Deleted {
  readonly workspaceId: number
  readonly groupId?: number
  readonly spaceIds: readonly number[]
}

/** Returns why spaces or a group stay: a variant opens the group, or a step of a workflow names one of the spaces. */
export const problemOfUse = async (
  { workspaceId, groupId, spaceIds }: Deleted,
  read: Reader,
): Promise<Refusal | undefined> => {
  const [sold] =
    groupId === undefined ? [] : await read.find(variant, { where: { space_group_ids: groupId }, limit: 1 })
  if (sold) return refuse.invalid(`Space group cannot be deleted: the variant ${sold.name} opens it`, 'base', 'in_use')
  const what = await stepNamingSpace({ workspaceId, spaceIds }, read)
  return what === undefined ? undefined : refuse.invalid(`Space cannot be deleted: ${what} names it`, 'base', 'in_use')
}
