import type { Filter, ListOperation, ReadOperation, ShowOperation } from './operation.ts'
import type { Owner } from './owner.ts'

/** The owner of most collections. */
export const workspace: Owner = { param: 'workspace_id', resource: 'workspace', field: 'workspace_id' }

/** `filter[id]`, which most lists have. */
export const byId: Filter = { type: 'id', field: 'id' }

/** `filter[…]` over a field that holds an id or several. */
export const idFilter = (field: string, kind?: string): Filter => ({
  type: 'id',
  field,
  ...(kind !== undefined && { kind }),
})

/** `filter[…]` over a field with exactly this text. */
export const textFilter = (field: string): Filter => ({ type: 'text', field })

/** `filter[…]=true|false`. */
export const flagFilter = (field: string): Filter => ({ type: 'flag', field })

export type ListOptions = Partial<
  Pick<
    ListOperation,
    | 'filters'
    | 'sorts'
    | 'where'
    | 'ofCaller'
    | 'beyondContract'
    | 'summary'
    | 'envelope'
    | 'paged'
    | 'select'
    | 'under'
  >
>

/** A collection, 20 a page; sorted by id or updated_at unless told otherwise. */
export const list = (path: string, options: ListOptions = {}): ListOperation => ({
  kind: 'list',
  method: 'GET',
  path,
  filters: {},
  sorts: ['id', 'updated_at'],
  ...options,
})

/** One record. */
export const show = (
  path: string,
  options: Pick<ShowOperation, 'beyondContract' | 'expanded' | 'summary'> = {},
): ShowOperation => ({
  kind: 'show',
  method: 'GET',
  path,
  ...options,
})

/** A read of another shape. */
export const read = (
  path: string,
  options: Pick<ReadOperation, 'schema' | 'read'> & Partial<ReadOperation>,
): ReadOperation => ({
  kind: 'read',
  method: 'GET',
  path,
  ...options,
})
