import { expect } from 'chai'
import { claimNumbersSetByHand } from '../../../infra/runtime/numbers-set-by-hand.ts'
import { ok } from '../../support/client.ts'
import { losingAnswers } from '../../support/lost-answers.ts'
import { startTestService, type Tenant, type TestService, testService } from '../../support/service.ts'
import { type OnSale, type Shop, shopOf } from '../../support/traffic/shop.ts'

interface Invoice {
  readonly id: number
  readonly order_id: number
  readonly invoice_number: string
}

/** Invoicing in a workspace of its own. */
const invoicing = async (tenant: Tenant) => {
  const shop = await shopOf(tenant)
  const line = await shop.sells({ amount: '12.50' })
  const placed = async (live_mode = true): Promise<number> => {
    const lines = { line_items_attributes: [{ ...line, quantity: 1 }] }
    const order = { order_type: 'one-time-order', live_mode, contact_id: shop.contactId, ...lines }
    return ok(await shop.api.post(`${shop.workspace}/orders`, { order })).id
  }
  const sent = (orderId: number, fields: object, headers: Record<string, string> = {}) => {
    const orders_invoice = { external_id: 'b', status: 'unpaid', ...fields }
    return shop.api.post(`/orders/${orderId}/invoices`, { orders_invoice }, { headers })
  }
  const issued = async (fields: object = {}, orderId?: number): Promise<Invoice> =>
    ok(await sent(orderId ?? (await placed()), fields))
  const set = async ({ id }: Pick<Invoice, 'id'>, invoice_number: string | null) => {
    const { status, body } = await shop.api.put(`/orders/invoices/${id}`, { orders_invoice: { invoice_number } })
    return status === 200 ? body.invoice_number : [status, body.error, body.details?.[0]?.field]
  }
  const numberOf = async ({ id }: Pick<Invoice, 'id'>) =>
    ok(await shop.api.get(`/orders/invoices/${id}`)).invoice_number
  return { shop, line, placed, sent, issued, set, numberOf }
}
type Invoicing = Awaited<ReturnType<typeof invoicing>>

const TAKEN = [422, 'Request unprocessable: Invoice number has already been taken', 'orders_invoice.invoice_number']

describe('numbers of invoices over REST', () => {
  let at: Invoicing
  beforeEach(async () => {
    at = await invoicing(await (await testService()).tenant())
  })

  it('cannot be set to one that another invoice has, of the same order or another; one that is given up is free', async () => {
    const one = await at.issued()
    const two = await at.issued({ invoice_number: 'A-7' })
    const three = await at.issued({}, one.order_id)
    expect(await at.set(three, one.invoice_number)).to.deep.equal(TAKEN)
    expect(await at.set(two, one.invoice_number)).to.deep.equal(TAKEN)
    expect(await at.set(one, 'A-7')).to.deep.equal(TAKEN)
    const { status, body } = await at.sent(one.order_id, { invoice_number: 'A-7' })
    expect([status, body.error, body.details[0].field]).to.deep.equal(TAKEN)
    expect([await at.numberOf(one), await at.numberOf(two)]).to.deep.equal(['INV-1001', 'A-7'])
    expect(await at.set(two, 'A-8')).to.equal('A-8')
    expect(await at.set(one, 'A-7')).to.equal('A-7')
    expect(await at.set(one, 'A-7')).to.equal('A-7')
    expect(await at.set(three, 'INV-1001')).to.equal('INV-1001')
    expect(await at.set(one, null)).to.deep.equal(TAKEN)
    expect(await at.set(three, null)).to.equal(three.invoice_number)
    expect(await at.set(one, null)).to.equal('INV-1001')
  })

  it('may be the same in two workspaces', async () => {
    const other = await invoicing(await (await testService()).tenant())
    expect((await at.issued({ invoice_number: 'A-7' })).invoice_number).to.equal('A-7')
    expect((await other.issued({ invoice_number: 'A-7' })).invoice_number).to.equal('A-7')
    expect((await other.issued({ invoice_number: 'INV-1002' })).invoice_number).to.equal('INV-1002')
    await at.issued()
    expect((await at.issued()).invoice_number).to.equal('INV-1003')
  })

  it('that are given pass over those that are set by hand, on whichever order, and give back what is no longer set', async () => {
    const one = await at.issued()
    expect(await at.set(one, 'INV-1002')).to.equal('INV-1002')
    expect((await at.issued({}, one.order_id)).invoice_number).to.equal('INV-1003')
    const four = await at.issued({ invoice_number: 'INV-1005' })
    // It has a place of its own, to which it goes back when no number is set: the one that was left free.
    expect(await at.set(four, null)).to.equal('INV-1004')
    expect((await at.issued()).invoice_number).to.equal('INV-1005')
    expect((await at.issued({ invoice_number: 'INV-1000' })).invoice_number).to.equal('INV-1000')
    expect((await at.issued({ invoice_number: 'INV-01008' })).invoice_number).to.equal('INV-01008')
    expect((await at.issued()).invoice_number).to.equal('INV-1008')
  })

  it('do not coincide where invoices are issued and numbered at the same moment', async () => {
    const orders = await Promise.all(Array.from({ length: 12 }, () => at.placed()))
    const answers = await Promise.all(
      orders.map((id, n) => at.sent(id, n % 3 === 0 ? { invoice_number: `INV-${1003 + n}` } : {})),
    )
    for (const { status } of answers) expect(status).to.be.oneOf([201, 422])
    const { body } = await at.shop.api.get(`${at.shop.workspace}/orders/invoices`)
    const numbers: string[] = body.map(({ invoice_number }: Invoice) => invoice_number)
    expect(answers.filter(({ status }) => status === 201)).to.have.length(numbers.length)
    expect(numbers.length).to.be.at.least(8)
    expect(new Set(numbers).size).to.equal(numbers.length)
  })

  it('of one that two set at the same moment go to one of them', async () => {
    const [one, two] = [await at.issued(), await at.issued()]
    const answers = await Promise.all([at.set(one, 'Z-1'), at.set(two, 'Z-1')])
    expect(answers.filter((answer) => answer === 'Z-1')).to.have.length(1)
    expect(answers.filter((answer) => answer !== 'Z-1')).to.deep.equal([TAKEN])
  })

  it('of test orders are their own, and leave no gap in the others', async () => {
    const [one, test] = [await at.issued(), await at.issued({}, await at.placed(false))]
    const { order_id } = await at.shop.buys(at.line)
    const [bought] = await at.shop.invoices(order_id)
    const two = await at.issued()
    expect([one, test, bought, two].map(({ invoice_number }) => invoice_number)).to.deep.equal([
      ...['INV-1001', 'TEST-1001', 'TEST-1002', 'INV-1002'],
    ])
    expect(await at.set(two, 'TEST-1001')).to.deep.equal(TAKEN)
    expect(await at.set(two, 'TEST-1003')).to.equal('TEST-1003')
    expect((await at.issued({}, await at.placed(false))).invoice_number).to.equal('TEST-1004')
    const { body } = await at.shop.api.get(`${at.shop.workspace}/orders/invoices?filter[invoice_number]=TEST-1002`)
    expect(body.map(({ id }: Invoice) => id)).to.deep.equal([bought.id])
  })
})

describe('numbers of renewals and changes of test subscriptions', () => {
  it('are those of test orders', async () => {
    const shop: Shop = await shopOf(await (await testService()).tenant({ test: true }))
    const monthly: OnSale = await shop.sells({ amount: 30, payment_type: 'subscription', interval: 'months' })
    const { order_id } = await shop.buys(monthly)
    await shop.passes(32)
    const numbers = (await shop.invoices(order_id)).map(({ invoice_number }) => invoice_number)
    expect(numbers.sort()).to.deep.equal(['TEST-1001', 'TEST-1002'])
  })
})

describe('numbers of invoices in a log of their own', () => {
  let losesNext = false
  let service: TestService
  let at: Invoicing
  let tenant: Tenant

  before(async () => {
    service = await startTestService({}, (log) =>
      losingAnswers(log, {
        isRepeated: ({ numbers = [] }) => losesNext && numbers.length > 0,
        loses: () => {
          losesNext = false
          return true
        },
      }),
    )
    tenant = await service.tenant()
    at = await invoicing(tenant)
  })

  it('are the same for a repeat whose first answer was lost', async () => {
    const id = await at.placed()
    const key = { 'Idempotency-Key': 'bill-1' }
    losesNext = true
    expect((await at.sent(id, {}, key)).status).to.equal(503)
    const { body } = await at.sent(id, {}, key)
    const all = (await at.shop.invoices(id)).map(({ invoice_number }) => invoice_number)
    expect([body.invoice_number, all]).to.deep.equal(['INV-1001', ['INV-1001']])
    expect((await at.issued()).invoice_number).to.equal('INV-1002')
  })

  it('of former versions, of which no claim tells, are respected', async () => {
    const { stores, core } = service.background
    const { log } = stores
    const [given, byHand] = [await at.issued(), await at.issued({ invoice_number: 'B-1' })]
    const ahead = await at.issued({ invoice_number: 'INV-1007' })
    // Former versions claimed no numbers.
    for await (const { key, stream } of log.claims())
      if (key.startsWith('orders/invoice.')) await log.append({ stream, expected: 'any', events: [], release: [key] })
    await claimNumbersSetByHand({ ...core, ...stores, live: stores.readModels.live })
    const one = await at.issued()
    expect(await at.set(one, given.invoice_number)).to.deep.equal(TAKEN)
    expect(await at.set(one, 'B-1')).to.deep.equal(TAKEN)
    expect([one.invoice_number, (await at.issued()).invoice_number]).to.deep.equal(['INV-1006', 'INV-1008'])
    expect([await at.numberOf(byHand), await at.numberOf(ahead)]).to.deep.equal(['B-1', 'INV-1007'])
    const claim = await log.claimed(`orders/invoice.number:${tenant.workspaceId}:7`)
    expect(claim?.stream).to.equal(`order-${ahead.order_id}`)
  })
})
