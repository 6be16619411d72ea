import type { Filter, ListOperation, Shown, ShowOperation } from './operation.ts'
import type { Owner } from './owner.ts'
import type { ReadOperation } from './read-operation.ts'

/** The owner of most collections. */
export const workspace: Owner = { param: 'workspace_id', resource: 'workspace', field: 'workspace_id' }

/** Filter `filter[id]`, which most lists have. */
export const byId: Filter = { type: 'id', field: 'id' }

/** Declares a `filter[…]` over a field with an id or a list of ids. */
export const idFilter = (field: string, kind?: string): Filter => ({
  type: 'id',
  field,
  ...(kind !== undefined && { kind }),
})

/** Declares a `filter[…]` that matches the whole text of a field. */
export const textFilter = (field: string): Filter => ({ type: 'text', field })

/** Declares a `filter[…]=true|false`. */
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

/** Declares a list, 20 records a page. Clients may sort by id or updated_at unless `sorts` says otherwise. */
export const list = (path: string, options: ListOptions = {}): ListOperation => ({
  kind: 'list',
  method: 'GET',
  path,
  filters: {},
  sorts: ['id', 'updated_at'],
  ...options,
})

/** Declares an operation that shows one record. */
export const show = (
  path: string,
  options: Pick<ShowOperation, 'beyondContract' | 'expanded' | 'summary'> = {},
): ShowOperation => ({
  kind: 'show',
  method: 'GET',
  path,
  ...options,
})

/** Declares a read that is neither a list nor a single record. */
export const read = (
  path: string,
  {
    shows,
    ...options
  }: Partial<ReadOperation> &
    (Pick<ReadOperation, 'schema' | 'read'> | { readonly shows: Shown }) & { readonly shows?: Shown },
): ReadOperation => ({
  kind: 'read',
  method: 'GET',
  path,
  ...(shows && showing(shows)),
  ...(options as Pick<ReadOperation, 'schema' | 'read'>),
})

/** Returns what a read that is a view of its record consists of. */
const showing = ({ schema, of }: Shown): Pick<ReadOperation, 'schema' | 'read'> => ({
  schema,
  read: async ({ document, load, pack }) => of(document ?? { id: 0 }, load, pack),
})
