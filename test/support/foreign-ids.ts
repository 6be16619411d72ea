import type { Route } from '../../api/routes.ts'
import type { Field, FieldTable } from '../../domain/kernel/model/field.ts'
import type { WriteOperation } from '../../domain/resources/operation.ts'
import { STEP_TYPE_NAMES, stepTypeOf } from '../../domain/workflows/steps/index.ts'
import { conditionFields, kindOfCondition } from '../../domain/workflows/workflow/conditions.ts'
import { ok } from './client.ts'
import { sender } from './records/emails.ts'
import { testFunnelOf } from './records/funnels.ts'
import { idOf, unique } from './records/making.ts'
import { soldOf } from './records/orders.ts'
import { recordMakers } from './records.ts'
import type { Tenant } from './service.ts'

type Fields = Record<string, unknown>

/** How an id gets into a field of which the declaration does not say what it names. */
export interface ForeignId {
  /** Kind of the record that the field names. */
  readonly kind: string
  /** Returns the fields of a body that name a record. @param of the tenant of the record */
  sends(id: number | string, mine: Tenant, isChange: boolean): Fields | Promise<Fields>
  /** Returns what the field takes for a record of a tenant. Default: the id of one that is made. */
  id?(of: Tenant): Promise<number | string>
  /** Whether the workspace's own record of that kind is refused too, because it has to be a part of what is changed. */
  readonly isOwnRefused?: true | 'on change'
  /** Makes the record that operations change, where that of the makers does not take the field. */
  changed?(mine: Tenant): Promise<number>
}

const make = (kind: string, of: Tenant): Promise<number> => recordMakers[kind]!.make(of)

/** Returns the id of a record of a tenant; 1 of a kind of which there are none. */
export const idIn = async (of: Tenant, kind: string): Promise<number> => {
  if (kind === 'membership') return (await of.api.get(`/teams/${of.teamId}/memberships`)).body[0].id
  return recordMakers[kind] ? make(kind, of) : 1
}

/** Whether there are records of a kind. There are no calendars and surveys yet, so that every id of one is refused. */
const isMade = (kind: string): boolean =>
  ['membership', 'funnels/show_page_step'].includes(kind) || recordMakers[kind] !== undefined

const simply = (kind: string, sends: ForeignId['sends'], more: Partial<ForeignId> = {}): ForeignId => ({
  kind,
  sends,
  ...(!isMade(kind) && { isOwnRefused: true }),
  ...more,
})

const conditionIds = Object.fromEntries(
  Object.keys(conditionFields).map((name) => [name, simply(kindOfCondition(name), (id) => ({ [name]: id }))]),
)

/** Returns the path of a setting among the fields that are sent. */
const pathIn = (fields: FieldTable, setting: string): readonly string[] | undefined => {
  if (fields[setting]) return [setting]
  for (const [name, { inner = {} }] of Object.entries(fields)) {
    const path = pathIn(inner, setting)
    if (path) return [name, ...path]
  }
  return undefined
}

const nestedAt = ([name = '', ...rest]: readonly string[], value: unknown): Fields => ({
  [name]: rest.length === 0 ? value : nestedAt(rest, value),
})

const settingIds = Object.fromEntries(
  STEP_TYPE_NAMES.map(stepTypeOf).flatMap(({ name: type, fields, kinds }) =>
    Object.entries(kinds).map(([setting, kind]) => {
      const value = (id: number | string) => (setting.endsWith('_ids') ? [id] : id)
      const path = pathIn(fields, setting) ?? []
      const inStep = (id: number | string) => {
        const settings = { ...(fields.subject && { subject: 'Hello' }), ...nestedAt(path, value(id)) }
        return { step_type_settings: { [type]: settings } }
      }
      const changed = async (mine: Tenant) => {
        const path = `/workflows/${await make('workflow', mine)}/steps`
        return idOf(
          await mine.api.post(path, {
            workflows_step: inStep(await (kind === 'emails/address' ? sender.make(mine) : idIn(mine, kind))),
          }),
        )
      }
      const at = ['step_type_settings', type, ...path].join('.')
      return [
        at,
        simply(kind, inStep, {
          ...(kind === 'emails/address' && { id: sender.make }),
          changed,
          ...(setting === 'template_id' && { isOwnRefused: 'on change' }),
        }),
      ]
    }),
  ),
)

/** Public id of a step of a page in a funnel, or of the funnel. */
const placed = async (
  of: Tenant,
): Promise<{ readonly funnel: number; readonly page: number; readonly step: number }> => {
  const funnel = await make('funnel', of)
  const path = `/workspaces/${of.workspaceId}/pages`
  const page = idOf(await of.api.post(path, { page: { name: unique('Placed page'), funnel: { funnel_id: funnel } } }))
  const { body } = await of.api.get(`/pages/${page}`)
  return { funnel, page, step: body.show_page_step?.id ?? body.show_page_step_id ?? body.funnel?.show_page_step_id }
}
const placedPage = async (mine: Tenant) => (await placed(mine)).page
const intoFunnel = async (mine: Tenant, isChange: boolean): Promise<Fields> =>
  isChange ? {} : { funnel: { funnel_id: await make('funnel', mine) } }
const productOnSale = async (of: Tenant): Promise<number> =>
  (await of.api.get(`/products/variants/${(await soldOf(of)).variant_id}`)).body.product_id
const stepId = async (of: Tenant) => (await placed(of)).step

const publicIdOf = (path: string, kind: string) => async (of: Tenant) =>
  (await of.api.get(`/${path}/${await make(kind, of)}`)).body.public_id as string

/** Returns a token of a filter by a tag. */
const tokenOf = async (of: Tenant): Promise<string> => {
  const { name } = (await of.api.get(`/contacts/tags/${await make('contacts/tag', of)}`)).body
  return ok(await of.api.post(`/workspaces/${of.workspaceId}/contacts/filters`, { text: `tagged "${name}"` })).stable_id
}

/** What is sent for a fee, and the rate of the fee. */
const shipped = async (of: Tenant): Promise<{ readonly line: Fields; readonly rate: number }> => {
  const { api, workspaceId } = of
  const added = async (path: string, root: string, fields: Fields) => ok(await api.post(path, { [root]: fields }))
  const variant_id = await make('products/variant', of)
  const price = await added(`/products/variants/${variant_id}/prices`, 'products_price', { amount: '5.00' })
  ok(await api.put(`/products/variants/${variant_id}`, { products_variant: { product_type: 'physical' } }))
  const profile = { name: unique('Parcels'), variant_ids: [variant_id] }
  const { id } = await added(`/workspaces/${workspaceId}/shipping/profiles`, 'shipping_profile', profile)
  const [group] = ok(await api.get(`/shipping/profiles/${id}/location_groups`))
  const country = { name: 'Germany', country_ids: ['DE'] }
  const zone = await added(`/shipping/location_groups/${group.id}/zones`, 'shipping_zone', country)
  const names = `/workspaces/${workspaceId}/shipping/rates/names`
  const { id: rates_name_id } = await added(names, 'shipping_rates_name', { name: unique('Express') })
  const rate = await added(`/shipping/zones/${zone.id}/rates`, 'shipping_rate', { rates_name_id, price: '9.00' })
  return { line: { variant_id, products_price_id: price.id, quantity: 1 }, rate: rate.id }
}
const shippedTo = new WeakMap<Tenant, ReturnType<typeof shipped>>()
const parcelOf = (of: Tenant) => {
  const known = shippedTo.get(of) ?? shipped(of)
  shippedTo.set(of, known)
  return known
}

/** The first entry of a variant's part that a change names by its id. */
const entryIn =
  (part: string, entry: (of: Tenant) => Promise<Fields>) =>
  async (of: Tenant): Promise<number> => {
    const id = await make('products/variant', of)
    const { body } = await of.api.put(`/products/variants/${id}`, { products_variant: { [part]: [await entry(of)] } })
    return body[part.replace('_attributes', '')][0].id
  }
const COURSES = 'included_courses_attributes'
const GROUPS = 'included_space_groups_attributes'
const courseEntry = async (of: Tenant): Promise<Fields> => ({ course_id: await make('course', of) })
const groupEntry = async (of: Tenant): Promise<Fields> => ({
  communities_space_group_id: await make('communities/space_group', of),
})
const propertyOf = async (of: Tenant): Promise<number> =>
  (await of.api.get(`/products/${await make('product', of)}`)).body.variant_properties[0].id

const mapped = async (field: string, id: number | string): Promise<Fields> => ({ [field]: id })

/** Fields that name records although their declaration does not say so, by their path. */
export const FOREIGN_IDS: Readonly<Record<string, ForeignId>> = {
  ...conditionIds,
  ...settingIds,
  parent_step_id: simply('workflows/step', (id) => ({ parent_step_id: id, branch: '0' }), { isOwnRefused: true }),
  after_step_id: simply('workflows/step', (id) => ({ after_step_id: id }), { isOwnRefused: true }),
  template_pages: simply('page', (id) => ({ template_pages: { home_template_page: id } })),
  'funnel.funnel_id': simply('funnel', (funnel_id) => ({ funnel: { funnel_id } })),
  'funnel.show_page_step_id': simply('funnels/show_page_step', (id) => ({ funnel: { show_page_step_id: id } }), {
    id: stepId,
  }),
  'funnel.after_show_page_step_id': simply(
    'funnels/show_page_step',
    async (id, mine) => ({
      funnel: { funnel_id: await make('funnel', mine), after_show_page_step_id: id },
    }),
    { id: stepId, isOwnRefused: true },
  ),
  'show_page_step.product_ids': simply(
    'product',
    async (id, mine, isChange) => ({
      ...(await intoFunnel(mine, isChange)),
      show_page_step: { product_ids: [id] },
    }),
    { changed: placedPage },
  ),
  'show_page_step.bumps.product_id': simply(
    'product',
    async (product_id, mine, isChange) => ({
      ...(await intoFunnel(mine, isChange)),
      show_page_step: { bumps: [{ product_id }] },
    }),
    { changed: placedPage, id: productOnSale },
  ),
  product_ids: simply('product', (id) => ({ product_ids: [id] }), { changed: placedPage, isOwnRefused: true }),
  'variants.page_id': simply('page', async (page_id, mine, isChange) => ({
    variants: isChange ? [{ page_id }, {}] : [{ page_id: (await testFunnelOf(mine)).page }, { page_id }],
  })),
  show_page_step_id: simply('funnels/show_page_step', (id) => ({ show_page_step_id: id }), {
    id: stepId,
    isOwnRefused: true,
  }),
  'condition.filter_id': simply('refine_filter', (filter_id) => ({ condition: { filter_id } }), {
    id: publicIdOf('refine_filters', 'refine_filter'),
  }),
  'branches.page_id': simply('page', (page_id) => ({ branches: [{ page_id }, {}] })),
  'branches.page_ids': simply('page', (id) => ({ branches: [{ page_ids: [id] }, {}] })),
  'variant_properties.id': simply('product', (id) => ({ variant_properties: [{ id, name: 'Size' }] }), {
    id: propertyOf,
    isOwnRefused: true,
  }),
  'properties_values.property_id': simply(
    'product',
    (property_id) => ({ properties_values: [{ property_id, value: 'Large' }] }),
    { id: propertyOf, isOwnRefused: true },
  ),
  [`${COURSES}.id`]: simply('course', (id) => ({ [COURSES]: [{ id, _destroy: true }] }), {
    id: entryIn(COURSES, courseEntry),
    isOwnRefused: true,
  }),
  [`${COURSES}.included_sections_attributes.id`]: simply(
    'courses/section',
    async (id, mine) => ({ [COURSES]: [{ ...(await courseEntry(mine)), included_sections_attributes: [{ id }] }] }),
    { isOwnRefused: true },
  ),
  [`${GROUPS}.id`]: simply('communities/space_group', (id) => ({ [GROUPS]: [{ id, _destroy: true }] }), {
    id: entryIn(GROUPS, groupEntry),
    isOwnRefused: true,
  }),
  shipping_option_id: simply(
    'shipping/rate',
    async (id, mine) => ({
      shipping_option_id: String(id),
      shipping_address_country: 'DE',
      line_items_attributes: [(await parcelOf(mine)).line],
    }),
    { id: async (of) => (await parcelOf(of)).rate },
  ),
  products_variant_id: simply('products/variant', (id) => mapped('products_variant_id', id), { isOwnRefused: true }),
  products_price_id: simply('products/price', (id) => mapped('products_price_id', id), { isOwnRefused: true }),
  filter_id: simply('contacts/filter', (id) => ({ filter_id: id })),
  criteria: simply('contacts/tag', (id) => ({
    criteria: [{ attribute: 'tags.id', clause: 'in', value: [String(id)] }],
  })),
  stable_id: simply('contacts/filter', (stable_id) => ({ stable_id, target_ids: undefined, target_all: undefined }), {
    id: tokenOf,
  }),
}

/** Fields that are called like ids, and name no record of a team. */
export const NO_RECORDS: Readonly<Record<string, string>> = {
  role_ids: 'words for what a member may do',
  custom_attributes: 'free text of the contact',
  external_id: 'the number in another program',
  external_organization_id: 'the number at the processor',
  external_website_id: 'the number at the processor',
  payment_method_id: 'the name of a card at the processor, which only the own account there knows',
  event_type_ids: 'names of events',
  country_of_manufacture_id: 'countries are the same for all',
  country_ids: 'countries are the same for all',
  region_ids: 'regions are the same for all',
  variant_ids: 'read by nobody, as the contract says',
  price_ids: 'read by nobody, as the contract says',
  data: 'what the provider of a video said',
}

const NAMED = /(?:^|_)ids?(?:_in_order)?$/
const INSIDE = /"((?:[a-z_]+_)?ids?)":/g

/** Returns the paths in a JSON schema of properties that are called like ids. */
const idsInside = (schema: unknown): readonly string[] => {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties, items, anyOf } = schema as { properties?: object; items?: object; anyOf?: readonly object[] }
  return [
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) => [
      ...(NAMED.test(name) ? [name] : []),
      ...idsInside(inner).map((path) => `${name}.${path}`),
    ]),
    ...(items ? idsInside(items) : []),
    ...(anyOf ?? []).flatMap(idsInside),
  ]
}

/** Whether a field takes an object of which the declaration says nothing more. */
const isOpen = (schema: object): boolean => {
  const text = JSON.stringify(schema)
  return text.includes('"type":"object"') && [...text.matchAll(INSIDE)].length === 0
}

/** Returns the paths of a body's fields that may name records, and of which the declaration does not say so. */
export const undeclaredIn = (fields: FieldTable, within: readonly string[] = []): readonly string[] =>
  Object.entries(fields).flatMap(([name, { refersTo, inner, schema, sends }]: readonly [string, Field]) => {
    const path = [...within, name]
    if (refersTo !== undefined) return []
    if (inner) return undeclaredIn(inner, path)
    const inside = [...new Set(idsInside(sends ?? schema))].map((rest) => [...path, rest].join('.'))
    if (inside.length > 0) return inside
    return NAMED.test(name) || isOpen(sends ?? schema) ? [path.join('.')] : []
  })

/** A field of an operation that may name records, and of which the declaration does not say so. */
export interface UndeclaredId {
  readonly route: Route
  readonly path: string
}

/** Returns all fields of operations that may name records, and of which the declaration does not say so. */
export const undeclaredOf = (routes: readonly Route[]): readonly UndeclaredId[] =>
  routes.flatMap((route) =>
    undeclaredIn((route.operation as WriteOperation).body?.fields ?? {}).map((path) => ({ route, path })),
  )
