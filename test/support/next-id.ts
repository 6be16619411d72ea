import { type Ids, withIds } from '../../domain/kernel/values/ids.ts'

/** Returns the id of a new record. On servers numbers are leased, so it waits for one. */
export const nextId = (ids: Ids, { name }: { readonly name: string }): Promise<number> =>
  withIds(ids, () => ids.next(name))
