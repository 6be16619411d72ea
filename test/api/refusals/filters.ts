import { type Row, row } from './row.ts'

const filter = (says: string, fields: object): Row =>
  row(
    422,
    says,
    'POST',
    ({ ws }) => `${ws}/refine_filters`,
    () => ({ refine_filter: { criteria: [{ attribute: 'first_name', clause: 'eq', value: 'A' }], ...fields } }),
  )
const condition = (says: string, entry: object): Row =>
  filter(`criteria[0].${says}. See /api/v2/reference for the conditions that the public API supports`, {
    criteria: [entry],
  })

export const filters: readonly Row[] = [
  filter('criteria must contain at least one entry', { criteria: [] }),
  filter('Name has already been taken', { name: 'Taken' }),
  filter("conjunction 'or' is not supported by the public API", { conjunction: 'or' }),
  filter("filter_class must be 'ContactsFilter' (only supported class in v1)", { filter_class: 'OrdersFilter' }),
  condition("attribute 'segments.id' is not supported by the public API", {
    attribute: 'segments.id',
    clause: 'eq',
    value: '1',
  }),
  condition("attribute 'x' is not a known attribute", { attribute: 'x', clause: 'eq', value: '1' }),
  condition("clause 'cont' is not allowed for attribute 'email_address'", {
    attribute: 'email_address',
    clause: 'cont',
    value: 'x',
  }),
  condition("value must include a specific id for attribute 'received_broadcast'", {
    attribute: 'received_broadcast',
    clause: 'eq',
  }),
  condition('value contains ids not found in this workspace', { attribute: 'tags.id', clause: 'in', value: ['12'] }),
  condition("value 'soon' must be an ISO8601 date or datetime", {
    attribute: 'created_at',
    clause: 'gte',
    value: 'soon',
  }),
  row(
    422,
    'criteria must contain at least one entry',
    'PATCH',
    (all) => `/refine_filters/${all.filter.id}`,
    () => ({ refine_filter: { criteria: [] } }),
  ),
  row(
    422,
    'The request is too large to translate into a contact filter.',
    'POST',
    ({ ws }) => `${ws}/contacts/filters`,
    () => ({ text: 'a@example.com or '.repeat(400) }),
  ),
]
