import type { DecisionContext, Reader } from '../../kernel/decide/rules.ts'
import type { Unique } from '../../kernel/model/claim.ts'
import type { Model } from '../../kernel/model/model.ts'
import type { Index } from '../../kernel/ports/read-models.ts'
import { comparable } from '../../kernel/values/comparable.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import type { Filter } from '../operation.ts'

const TAKEN = 'Name has already been taken'

/** Field of documents with a name in the form in which names are compared. */
const NAME_KEY = 'name_key'

/** Makes names unique in a workspace without regard to case. A name is claimed as it is, too: former versions claimed nothing else. */
export const UNIQUE_NAME: Unique & { readonly attributes: readonly ['name'] } = {
  attributes: ['name'],
  spellings: (name) => [...new Set([comparable(name), name])],
  says: TAKEN,
}

type Named = { readonly name: string | null }

/** Returns the field by which names are looked up. */
export const nameKey = ({ name }: Named) => ({ [NAME_KEY]: name === null ? null : comparable(name) })

/** Index by which it is found out whether a name is taken. */
export const NAME_INDEX: Index = { fields: ['workspace_id', NAME_KEY] }

/** Filter by name, without regard to case. */
export const nameFilter: Filter = { type: 'text', field: NAME_KEY, keptAs: comparable }

type Context = Pick<DecisionContext, 'id' | 'workspaceId'> & {
  readonly before: Named | undefined
  readonly after: Named
}

/** Builds the function that finds out whether another record has the wanted name, also one of which no claim tells. */
export const nameTakenIn =
  (model: Pick<Model, 'name'>) =>
  async ({ id, workspaceId, before, after }: Context, { documents }: Reader): Promise<boolean> => {
    const { [NAME_KEY]: key } = nameKey(after)
    if (key === null || key === undefined || (before && nameKey(before)[NAME_KEY] === key)) return false
    const where = { workspace_id: workspaceId, [NAME_KEY]: key }
    return (await documents.find(model.name, { where, limit: 2 })).some((one) => one.id !== id)
  }

/** Refuses a name that another record has. */
export const refuseTakenName = (_: unknown, isTaken: boolean) =>
  isTaken ? refuse.invalid(TAKEN, 'name', 'taken') : undefined
