import { expect } from 'chai'
import { stocks } from '../../../domain/inventory/stock/rules.ts'
import { ok } from '../../support/client.ts'
import { recordMakers } from '../../support/records.ts'
import { startReceiver } from '../../support/servers/receiver.ts'
import { startTestService, type Tenant, testService } from '../../support/service.ts'

type Shown = { readonly id: number; readonly fulfillment_status: string }
type Sent = {
  readonly id: number
  readonly included_invoices_line_items: readonly { readonly invoices_line_item_id: number }[]
}

const PAID_AT = '2026-01-01T00:00:00.000Z'

describe('fulfilments over REST', () => {
  let tenant: Tenant
  let location: number
  let contact: number
  before(async () => {
    tenant = await (await testService()).tenant()
    location = await recordMakers['fulfillments/location']!.make(tenant)
    contact = await recordMakers.contact!.make(tenant)
  })

  const post = async (path: string, body: object | undefined = undefined) => ok(await tenant.api.post(path, body))
  const inWorkspace = (path: string) => `/workspaces/${tenant.workspaceId}${path}`
  const variantOf = async () => (await post(inWorkspace('/products'), { product: { name: 'Tea' } })).default_variant_id

  /** Creates a paid invoice over quantities of variants. @returns its lines */
  const billed = async (quantities: readonly (readonly [variant: number, quantity: number])[], more: object = {}) => {
    const line_items_attributes = await Promise.all(
      quantities.map(async ([variant_id, quantity]) => {
        const price = await post(`/products/variants/${variant_id}/prices`, { products_price: { amount: '3' } })
        return { variant_id, products_price_id: price.id, quantity }
      }),
    )
    const order = { order_type: 'one-time-order', live_mode: true, contact_id: contact, line_items_attributes }
    const { id } = await post(inWorkspace('/orders'), { order })
    const orders_invoice = { external_id: 'b', status: 'paid', paid_at: PAID_AT, ...more }
    const invoice = await post(`/orders/${id}/invoices`, { orders_invoice })
    return { id: invoice.id as number, orderId: id as number, lines: invoice.line_items.map((one: Shown) => one.id) }
  }
  const sending = (lines: readonly (readonly [id: number, quantity: number])[], more: object = {}) => ({
    contact_id: contact,
    location_id: location,
    included_orders_invoices_line_items_attributes: lines.map(([invoices_line_item_id, quantity]) => ({
      invoices_line_item_id,
      quantity,
    })),
    ...more,
  })
  const send = (lines: readonly (readonly [id: number, quantity: number])[], more: object = {}) =>
    tenant.api.post(inWorkspace('/fulfillments'), { fulfillment: sending(lines, more) })
  const refused = async (...asked: Parameters<typeof send>) => {
    const { status, body } = await send(...asked)
    return [status, body.error]
  }
  const says = (text: string) => [422, `Request unprocessable: ${text}`]
  const statuses = async (id: number) => {
    const invoice = ok(await tenant.api.get(`/orders/invoices/${id}`))
    return [invoice.fulfillment_status, ...invoice.line_items.map((one: Shown) => one.fulfillment_status)]
  }
  const stocked = async (variant_id: number, quantity: number) =>
    (
      await post(inWorkspace('/fulfillments/stocks'), {
        fulfillments_stock: { variant_id, levels: [{ location_id: location, quantity }] },
      })
    ).id as number
  const left = async (id: number) => ok(await tenant.api.get(`/fulfillments/stocks/${id}`)).on_hand

  it('send line items of several orders, from which the statuses of lines and invoices follow', async () => {
    const [one, two] = [
      await billed([
        [await variantOf(), 3],
        [await variantOf(), 1],
      ]),
      await billed([[await variantOf(), 2]]),
    ]
    expect(await statuses(one.id)).to.deep.equal(['unfulfilled', 'unfulfilled', 'unfulfilled'])
    const [a, b] = one.lines
    const [c] = two.lines
    const first = ok(
      await send(
        [
          [a, 2],
          [c, 2],
        ],
        { tracking_code: 'JD1', notify_customer: true },
      ),
    )
    expect(first).to.include({
      status: 'fulfilled',
      tracking_code: 'JD1',
      notify_customer: true,
      location_id: location,
    })
    const [x, y] = first.included_invoices_line_items
    expect(x).to.include({ fulfillment_id: first.id, quantity: 2, invoices_line_item_id: a })
    expect([y.quantity, y.invoices_line_item_id]).to.deep.equal([2, c])
    expect(await statuses(one.id)).to.deep.equal(['partial', 'partially_fulfilled', 'unfulfilled'])
    expect(await statuses(two.id)).to.deep.equal(['complete', 'complete'])
    const second = ok(
      await send([
        [a, 1],
        [b, 1],
      ]),
    )
    expect(second.fulfillment_number).to.equal(first.fulfillment_number + 1)
    expect(await statuses(one.id)).to.deep.equal(['complete', 'complete', 'complete'])
    const cancelled = await post(`/fulfillments/${first.id}/cancel`)
    expect(cancelled.status).to.equal('cancelled')
    expect(await statuses(one.id)).to.deep.equal(['partial', 'partially_fulfilled', 'complete'])
    const again = await tenant.api.post(`/fulfillments/${first.id}/cancel`)
    expect(again.status).to.equal(409)
    const told = { tracking_url: 'https://example.com/1', contact_id: 1, notify_customer: false }
    const changed = ok(await tenant.api.put(`/fulfillments/${second.id}`, { fulfillment: told }))
    expect(changed).to.include({ tracking_url: 'https://example.com/1', contact_id: contact, notify_customer: false })
    expect((await tenant.api.delete(`/fulfillments/${second.id}`)).status).to.equal(204)
    expect((await tenant.api.get(`/fulfillments/${second.id}`)).status).to.equal(404)
    expect(await statuses(one.id)).to.deep.equal(['unfulfilled', 'unfulfilled', 'unfulfilled'])
    expect((await tenant.api.delete(`/fulfillments/${first.id}`)).status).to.equal(204)
    expect(await statuses(two.id)).to.deep.equal(['unfulfilled', 'unfulfilled'])
  })

  it('send only items that are paid, left, and of the contact', async () => {
    const { id, lines } = await billed([[await variantOf(), 2]])
    const [line] = lines
    const open = await billed([[await variantOf(), 2]], { status: 'unpaid' })
    const about = 'Included line items'
    expect(await refused([[line, 3]])).to.deep.equal(says(`${about} contain 3 of ${line}, of which 2 are left`))
    expect(await refused([[open.lines[0], 1]])).to.deep.equal(
      says(`${about} contain ${open.lines[0]}, whose invoice is not eligible for fulfillment`),
    )
    const mixed: [number, number][] = [
      [line, 1],
      [open.lines[0], 1],
    ]
    expect((await refused(mixed))[0]).to.equal(422)
    expect(await refused([[2_000_000_000, 1]])).to.deep.equal(
      says(`${about} contain ids not found in this workspace: 2000000000`),
    )
    const twice: [number, number][] = [
      [line, 1],
      [line, 1],
    ]
    expect(await refused(twice)).to.deep.equal(says(`${about} name a line item twice`))
    const stranger = await recordMakers.contact!.make(tenant)
    expect(await refused([[line, 1]], { contact_id: stranger })).to.deep.equal(
      says(`${about} must be of orders of the contact`),
    )
    expect((await refused([]))[0]).to.equal(422)
    const other = await (await testService()).tenant()
    const foreign = await other.api.post(`/workspaces/${other.workspaceId}/fulfillments`, {
      fulfillment: sending([[line, 1]], {
        contact_id: await recordMakers.contact!.make(other),
        location_id: await recordMakers['fulfillments/location']!.make(other),
      }),
    })
    expect([foreign.status, foreign.body.details[0].code]).to.deep.equal([422, 'not_found'])
    expect(await statuses(id)).to.deep.equal(['unfulfilled', 'unfulfilled'])
  })

  it('take what they send from the stock of their location, and give it back when they are cancelled', async () => {
    const variant = await variantOf()
    const stock = await stocked(variant, 3)
    const { lines } = await billed([
      [variant, 2],
      [variant, 4],
    ])
    const [a, b] = lines
    const both: [number, number][] = [
      [a, 2],
      [b, 2],
    ]
    expect(await refused(both)).to.deep.equal(says(`Stock of variant ${variant} at the location is 3, not 4`))
    expect(await left(stock)).to.equal(3)
    const first = ok(await send([[a, 2]]))
    expect(await left(stock)).to.equal(1)
    const forced = ok(await send([[b, 4]], { ignore_out_of_stock: true }))
    expect(await left(stock)).to.equal(0)
    await post(`/fulfillments/${forced.id}/cancel`)
    expect(await left(stock)).to.equal(1)
    expect((await tenant.api.delete(`/fulfillments/${first.id}`)).status).to.equal(204)
    expect(await left(stock)).to.equal(3)
  })

  it('return what they can when stock is no longer tracked, or was not tracked yet', async () => {
    const variant = await variantOf()
    const { id, lines } = await billed([[variant, 2]])
    const before = ok(await send([[lines[0], 1]]))
    const stock = await stocked(variant, 5)
    const after = ok(await send([[lines[0], 1]]))
    await post(`/fulfillments/${before.id}/cancel`)
    expect(await left(stock)).to.equal(4)
    expect((await tenant.api.delete(`/fulfillments/stocks/${stock}`)).status).to.equal(204)
    await post(`/fulfillments/${after.id}/cancel`)
    expect(await statuses(id)).to.deep.equal(['unfulfilled', 'unfulfilled'])
  })

  it('made at the same moment send no more than was ordered, and stock stays correct', async () => {
    const variant = await variantOf()
    const stock = await stocked(variant, 100)
    const { orderId, lines } = await billed([[variant, 3]])
    const made = await Promise.all(Array.from({ length: 10 }, () => send([[lines[0], 1]])))
    const sent = made.filter(({ status }) => status === 201)
    expect(sent).to.have.length(3)
    for (const { status } of made) expect(status).to.be.oneOf([201, 409, 422])
    expect(await left(stock)).to.equal(97)
    // The losers of the race exist, and have nothing to release.
    const all = ok(await tenant.api.get(`${inWorkspace('/fulfillments')}?sort_order=desc`)) as Sent[]
    const own = all.filter((one) => one.included_invoices_line_items[0]!.invoices_line_item_id === lines[0])
    await Promise.all(own.map(({ id }) => tenant.api.post(`/fulfillments/${id}/cancel`)))
    expect(await left(stock)).to.equal(100)
    const [invoice] = ok(await tenant.api.get(`/orders/${orderId}/invoices`))
    expect(invoice.fulfillment_status).to.equal('unfulfilled')
  })

  it('are reported to subscribers, as is a completely sent invoice', async () => {
    const receiver = await startReceiver()
    const shop = await (await startTestService({ MILLRACE_ALLOW_PRIVATE_TARGETS: '1' })).tenant()
    const event_type_ids = ['fulfillment.created', 'fulfillment.updated', 'orders/invoice.fulfilled']
    const webhooks_outgoing_endpoint = { url: receiver.url, name: 'Shop', event_type_ids }
    const endpoints = `/workspaces/${shop.workspaceId}/webhooks/outgoing/endpoints`
    ok(await shop.api.post(endpoints, { webhooks_outgoing_endpoint }))
    const wanted = await recordMakers.fulfillment!.fields!(shop)
    const make = async () =>
      ok(await shop.api.post(`/workspaces/${shop.workspaceId}/fulfillments`, { fulfillment: wanted }))
    const [first, second] = [await make(), await make()]
    ok(await shop.api.post(`/fulfillments/${first.id}/cancel`))
    const [invoice] = ok(await shop.api.get(`/workspaces/${shop.workspaceId}/orders/invoices`))
    const told = (await receiver.until(4)).map(({ json }) => [json.event_type, json.subject_type, json.subject_id])
    expect(told).to.have.deep.members([
      ['fulfillment.created', 'Fulfillment', first.id],
      ['fulfillment.created', 'Fulfillment', second.id],
      ['fulfillment.updated', 'Fulfillment', first.id],
      ['orders/invoice.fulfilled', 'Orders::Invoice', invoice.id],
    ])
    await receiver.close()
  })

  describe('restocks', () => {
    const wanted = (lines: readonly (readonly [id: number, quantity: number])[]) => {
      const { location_id, ...restock } = sending(lines)
      return { orders_invoices_restock: restock }
    }
    const restock = (...lines: readonly (readonly [id: number, quantity: number])[]) =>
      tenant.api.post(inWorkspace('/orders/invoices/restocks'), wanted(lines))
    const hold = async (stockId: number, order_id: number, quantity: number) => {
      const { background, caughtUp } = await testService()
      const at = new Date(background.core.now(tenant.workspaceId)).toISOString()
      const actor = { label: 'worker:checkout' }
      const command = { type: 'commit', id: stockId, workspaceId: tenant.workspaceId, wanted: { order_id, quantity } }
      const causes = { teamId: tenant.teamId, causationId: 'test', correlationId: 'test' }
      await background.core.engine.transact({
        ...{ aggregate: stocks, id: stockId, workspaceId: tenant.workspaceId },
        ...{ command: { ...command, at, actor }, ...causes },
      })
      await caughtUp()
    }

    it('put reserved stock of the order back on sale, and leave less to send', async () => {
      const variant = await variantOf()
      const stockId = await stocked(variant, 5)
      const { id, orderId, lines } = await billed([[variant, 3]])
      const [line] = lines
      await hold(stockId, orderId, 3)
      const quantities = async () => {
        const { committed, available } = ok(await tenant.api.get(`/fulfillments/stocks/${stockId}`))
        return [committed, available]
      }
      expect(await quantities()).to.deep.equal([3, 2])
      const made = ok(await restock([line, 2]))
      expect(made).to.include({ status: 'restocked', contact_id: contact })
      const [{ id: part, ...first }] = made.included_invoices_line_items
      expect(part).to.be.a('number')
      expect(first).to.include({ fulfillment_id: made.id, quantity: 2, invoices_line_item_id: line })
      expect(await quantities()).to.deep.equal([1, 4])
      expect(await refused([[line, 2]])).to.deep.equal(
        says(`Included line items contain 2 of ${line}, of which 1 are left`),
      )
      ok(await send([[line, 1]]))
      expect(await statuses(id)).to.deep.equal(['complete', 'complete'])
      const again = await restock([line, 1])
      expect(again.status).to.equal(422)

      const cancelled = ok(await tenant.api.post(`/orders/invoices/restocks/${made.id}/cancel`))
      expect(cancelled.status).to.equal('cancelled')
      expect(await quantities()).to.deep.equal([2, 2])
      expect(await statuses(id)).to.deep.equal(['partial', 'partially_fulfilled'])
      expect((await tenant.api.post(`/orders/invoices/restocks/${made.id}/cancel`)).status).to.equal(409)
      expect(
        ok(await tenant.api.get(inWorkspace('/orders/invoices/restocks'))).map((one: Sent) => one.id),
      ).to.deep.equal([made.id])
    })

    it('leave nothing to send of a line that is restocked whole', async () => {
      const { id, lines } = await billed([
        [await variantOf(), 1],
        [await variantOf(), 1],
      ])
      ok(await restock([lines[0], 1]))
      expect(await statuses(id)).to.deep.equal(['unfulfilled', 'ignored', 'unfulfilled'])
      ok(await restock([lines[1], 1]))
      expect(await statuses(id)).to.deep.equal(['not_applicable', 'ignored', 'ignored'])
    })

    it('cannot be cancelled when another order has the last of it', async () => {
      const variant = await variantOf()
      const stockId = await stocked(variant, 1)
      const { orderId, lines } = await billed([[variant, 1]])
      await hold(stockId, orderId, 1)
      const { id } = ok(await restock([lines[0], 1]))
      const { orderId: other } = await billed([[variant, 1]])
      await hold(stockId, other, 1)
      const { status, body } = await tenant.api.post(`/orders/invoices/restocks/${id}/cancel`)
      expect([status, body.details[0].code]).to.deep.equal([422, 'out_of_stock'])
      expect(ok(await tenant.api.get(`/orders/invoices/restocks/${id}`)).status).to.equal('restocked')
    })

    it('need paid invoices of the contact', async () => {
      const { lines } = await billed([[await variantOf(), 1]], { status: 'unpaid', paid_at: null })
      const { status, body } = await restock([lines[0], 1])
      expect([status, body.details[0].field]).to.deep.equal([
        ...[422, 'orders_invoices_restock.included_orders_invoices_line_items_attributes'],
      ])
      expect(body.error).to.match(/was never paid/)
    })
  })
})
