import type { ListOperation, ShowOperation } from './operation.ts'
import { type ListOptions, list, show } from './operations.ts'
import { type Completed, changes, creates, removes, type WriteOptions } from './writes.ts'

interface CrudOptions {
  /** Whether none of the operations is in the contract. */
  readonly beyondContract?: true
  readonly list?: ListOptions
  readonly create?: WriteOptions
  readonly show?: Parameters<typeof show>[1]
  readonly change?: WriteOptions
  readonly remove?: WriteOptions
}

type Crud<Name extends string> = Readonly<
  Record<`list${Name}`, ListOperation> &
    Record<`get${Name}`, ShowOperation> &
    Record<`${'create' | 'update' | 'remove'}${Name}`, Completed>
>

/**
 * Declares the five operations of a plain resource. Their operationIds are `list<Name>`, `create<Name>`, `get<Name>`,
 * `update<Name>` and `remove<Name>`.
 *
 * @param collection path of the list, below its owner
 * @param item path of one record
 * @param options options of each operation
 */
export const crud = <Name extends string>(
  name: Name,
  collection: string,
  item: string,
  { beyondContract, ...options }: CrudOptions = {},
): Crud<Name> => {
  const all = beyondContract && { beyondContract }
  return {
    [`list${name}`]: list(collection, { ...all, ...options.list }),
    [`create${name}`]: creates(collection, { ...all, ...options.create }),
    [`get${name}`]: show(item, { ...all, ...options.show }),
    [`update${name}`]: changes(item, { ...all, ...options.change }),
    [`remove${name}`]: removes(item, { ...all, ...options.remove }),
  } as unknown as Crud<Name>
}
