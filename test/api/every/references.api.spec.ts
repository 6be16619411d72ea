import { expect } from 'chai'
import { type Route, routesOf } from '../../../api/routes.ts'
import { resources } from '../../../domain/index.ts'
import type { Field, FieldTable } from '../../../domain/kernel/model/field.ts'
import type { EventLog } from '../../../domain/kernel/ports/event-log.ts'
import type { Filter, ListOperation, WriteOperation } from '../../../domain/resources/operation.ts'
import { publicIdResourceOf } from '../../../domain/resources/resource.ts'
import { inBody, pathFor, preparing } from '../../support/operations.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, testService } from '../../support/service.ts'

const NOWHERE = 2_000_000_000

/** Fields that are left out when another is sent: a job accepts only one of its selectors. */
const INSTEAD_OF: Readonly<Record<string, string>> = { stored_filter_id: 'target_ids', filter_id: 'target_ids' }

/** Fields that refer to a record exclusively, so that each record can be referred to only once. */
const EXCLUSIVE: ReadonlySet<string> = new Set([
  'communities/ban contact_id',
  'communities/membership contact_id',
  'communities/bans/unban_action target_ids',
  'communities/memberships/ban_action target_ids',
  'courses/enrollment contact_id',
  'courses/lesson_completion lesson_id',
  'shipping/profile variant_ids',
])

/** Fields that must match others in the body: every record is found, but most are refused for another reason. */
const BOUND: ReadonlySet<string> = new Set([
  'blog theme_id',
  'communities/spaces/posts/comment parent_comment_id',
  'forms/field_set ids_in_order',
  'forms/submissions/answer field_id',
  'forms/submissions/answer fields_option_id',
  'forms/submissions/answer fields_option_ids',
  'fulfillment contact_id',
  'funnel domain_id',
  'orders/checkout gateway_account_id',
  'orders/invoices/restock contact_id',
  'orders/line_items/change products_price_id',
  'site main_domain_id',
])

/** What lines need besides references. */
const BESIDE: Readonly<Record<string, object>> = {
  createOrdersInvoices: {
    line_items_attributes: [{ amount: '1.00', quantity: 1, variant_id: 1, products_price_id: 1 }],
  },
  createRestocks: { included_orders_invoices_line_items_attributes: [{ quantity: 1 }] },
}

/** Fields that accept only ids of the record's own children. */
const OF_ITSELF = new Set(['cancelOrder.voidable_invoices'])

const routes = routesOf(resources)

/** Kinds with records. Ids of all other kinds are refused. */
const filled = new Set([...resources.map(({ name }) => name), 'membership'])

const references = routes.flatMap((route) => {
  const { body } = route.operation as WriteOperation
  return Object.entries(body?.fields ?? {}).flatMap(([name, field]) => (field.refersTo ? [{ route, name, field }] : []))
})

/** References in fields of fields, by their paths. */
const nestedIn = (fields: FieldTable, path: readonly string[] = []): readonly (readonly [readonly string[], Field])[] =>
  Object.entries(fields).flatMap(([name, field]) => [
    ...(path.length > 0 && field.refersTo ? [[[...path, name], field] as const] : []),
    ...(field.inner ? nestedIn(field.inner, [...path, name]) : []),
  ])

const nested = routes.flatMap((route) =>
  nestedIn((route.operation as WriteOperation).body?.fields ?? {}).map(([path, field]) => ({ route, path, field })),
)

/** Returns an item with a value at a path, other values of the item that it has already, and each list with one item. */
const withAt = ([name, ...rest]: readonly string[], value: unknown, held: unknown): unknown => {
  if (name === undefined) return value
  const [one] = [held].flat() as (Record<string, unknown> | undefined)[]
  const inner = withAt(rest, value, one?.[name])
  return { ...one, [name]: rest.length > 0 ? [inner] : inner }
}

/** The kind of the ids that a filter accepts. */
const kindOfFilter = ({ resource }: Route, { field, kind }: Filter): string =>
  kind ?? (field === 'id' ? publicIdResourceOf(resource) : (resource.refersTo?.[field] ?? field))

const filters = routes.flatMap((route) =>
  Object.entries((route.operation as ListOperation).filters ?? {}).flatMap(([name, filter]) =>
    filter.type === 'id' ? [{ route, name, kind: kindOfFilter(route, filter) }] : [],
  ),
)

const inThisWorkspace = async (tenant: Tenant, kind: string): Promise<number> => {
  if (kind === 'membership') return (await tenant.api.get(`/teams/${tenant.teamId}/memberships`)).body[0].id
  return recordMakers[kind]!.make(tenant)
}

describe('a reference', () => {
  let mine: Tenant
  let other: Tenant
  let publicId: (id: number, kind: string) => string
  let log: EventLog
  before(async () => {
    const service = await testService()
    ;[mine, other] = [await service.tenant({ test: true }), await service.tenant({ test: true })]
    log = service.background.stores.log
    publicId = (id, kind) => service.background.stores.publicIds.of(kind).encode(id)
  })

  /** Sends a request of which nothing comes: no event, and so no mail. */
  const nothingOf = async (send: () => ReturnType<Tenant['api']['call']>) => {
    const before = await log.lastPosition()
    const answer = await send()
    for await (const { type, metadata } of log.readAll({ after: before }))
      expect(metadata.$correlationId, type).not.to.equal(answer.body.request_id)
    return answer
  }

  /** Sends an operation with this id in one of its fields; in a list, as the only item. */
  const sending = (route: Route, name: string, field: Field) => {
    const { prepared, forget } = preparing(() => mine, route)
    return async (id: unknown) => {
      const { root } = (route.operation as WriteOperation).body!
      const { path, body: valid } = await prepared()
      const body = valid!
      const sent = root === null ? body : (body[root] as Record<string, unknown>)
      const isList = JSON.stringify(field.schema).includes('"items"')
      const others = Object.entries(sent).filter(([other]) => other !== INSTEAD_OF[name])
      const fields = inBody(root, { ...Object.fromEntries(others), [name]: isList ? [id] : id })
      const answer = await mine.api.call(route.method, path, fields)
      if (answer.status < 300) forget()
      return answer
    }
  }

  for (const { route, name, field } of references) {
    const kind = field.refersTo!
    it(`takes both forms of an id as ${name} of ${route.operationId}, and only of what there is`, async () => {
      const send = sending(route, name, field)
      const isFilled = filled.has(kind)
      const id = isFilled ? await inThisWorkspace(mine, kind) : 0
      const isExclusive = EXCLUSIVE.has(`${route.resource.name} ${name}`)
      const isOwn = OF_ITSELF.has(`${route.operationId}.${name}`)
      const spellings = [(one: number) => one, String, (one: number) => publicId(one, kind)]
      for (const spelled of isFilled && !isOwn ? spellings : []) {
        const form = spelled(isExclusive ? await inThisWorkspace(mine, kind) : id)
        const answer = await send(form)
        if (BOUND.has(`${route.resource.name} ${name}`))
          expect(answer.body.details[0].code, JSON.stringify(answer.body)).not.to.equal('not_found')
        else expect(answer.status, JSON.stringify(answer.body)).to.be.lessThan(300)
      }
      const foreign = isFilled ? await inThisWorkspace(other, kind) : 1
      for (const wrong of [foreign, publicId(foreign, kind), NOWHERE, publicId(NOWHERE, kind)]) {
        const { status, body } = await nothingOf(() => send(wrong))
        expect([status, body.details[0].code], JSON.stringify(body)).to.deep.equal([422, 'not_found'])
        expect(body.details[0].field).to.match(new RegExp(`\\b${name}$`))
      }
    })
  }

  for (const { route, path, field } of nested) {
    const kind = field.refersTo!
    it(`takes as ${path.join('.')} of ${route.operationId} only what there is in the workspace`, async () => {
      const { prepared } = preparing(() => mine, route)
      const foreign = recordMakers[kind] ? await inThisWorkspace(other, kind) : NOWHERE
      for (const wrong of [foreign, publicId(foreign, kind), NOWHERE]) {
        const { root } = (route.operation as WriteOperation).body!
        const { path: to, body: valid } = await prepared()
        const sent = (root === null ? valid : valid![root]) as Record<string, unknown>
        const item = withAt(path, wrong, { ...BESIDE[route.operationId], ...sent }) as Record<string, unknown>
        const { status, body } = await nothingOf(() => mine.api.call(route.method, to, inBody(root, item)))
        expect([status, body.details?.[0].code], JSON.stringify(body)).to.deep.equal([422, 'not_found'])
        expect(body.details[0].field).to.equal([...(root === null ? [] : [root]), path[0]].join('.'))
      }
    })
  }

  for (const { route, name, kind } of filters) {
    it(`is filtered by in both forms: ${name} of ${route.operationId}`, async () => {
      const id = await inThisWorkspace(mine, kind)
      const path = await pathFor(mine, route)
      const found = async (form: string | number) => (await mine.api.get(`${path}?filter[${name}]=${form}`)).body
      expect(await found(publicId(id, kind))).to.deep.equal(await found(id))
      expect(await found(publicId(NOWHERE, kind))).to.deep.equal([])
    })
  }
})
