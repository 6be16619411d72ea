import { expect } from 'chai'
import { type GatewayRequest, OrderLife } from '../../support/traffic/order-life.ts'
import { monthly, RECURRING, saleOf } from '../../support/traffic/sales.ts'

const BEGUN = '2026-01-31T08:00:00.000Z'
const on = (day: string) => `2026-${day}T08:00:00.000Z`

const subscription = (more: object = {}, sale: object = {}) =>
  new OrderLife(BEGUN, saleOf({ plan: monthly(BEGUN, more), ...sale }), [RECURRING])

describe('a subscription that we charge', () => {
  let life: OrderLife
  let charges: number

  /** Lets the gateway approve or decline. */
  const answers =
    (result: 'approved' | 'declined') =>
    ({ data }: GatewayRequest) => {
      const { invoice_id } = data
      const outcome = { invoice_id, external_id: `ch-${++charges}`, result, transaction_id: life.mint() }
      life.asks('recordCharge', { ...outcome, reason: result === 'declined' ? 'no funds' : null })
    }
  const stands = () => {
    const { service_status, billing_status, paid_until, next_charge_at } = life.order
    return [service_status, billing_status, paid_until?.slice(5, 10), next_charge_at?.slice(5, 10)]
  }
  const told = () => life.events.map(({ type }) => type)

  beforeEach(() => {
    life = subscription()
    charges = 0
  })

  it('begins with its first period paid', () => {
    expect(stands()).to.deep.equal(['active', 'paid', '02-28', '02-28'])
    expect(life.order).to.include({ in_trial: false, purchased: true, recurring_invoices_paid_count: 1 })
    expect(life.invoices).to.have.length(1)
    expect(life.invoices[0]).to.include({ status: 'paid', period: 0, automatic: true, invoice_type: 'initial' })
    expect(life.transactions[0]).to.include({ external_id: 'ch-0', result: 'approved', amount: '30.00' })
  })

  it('renews on its day, with a new invoice for each period that is charged once', () => {
    life.passes(on('04-01'), answers('approved'))
    expect(stands()).to.deep.equal(['active', 'paid', '04-30', '04-30'])
    expect(life.invoices.map(({ period, status, issued_at }) => [period, status, issued_at])).to.deep.equal([
      [0, 'paid', BEGUN],
      [1, 'paid', on('02-28')],
      [2, 'paid', on('03-31')],
    ])
    expect(life.transactions).to.have.length(3)
    expect(life.order.recurring_invoices_paid_count).to.equal(3)
  })

  it('is not renewed before its time, nor a period twice', () => {
    life.asks('renew')
    expect(life.requests).to.deep.equal([])
    life.passes(on('02-28'), () => undefined)
    life.asks('bill', { period: 1 }, { ids: [90, 91] })
    expect(life.invoices).to.have.length(2)
  })

  it('retries after a decline, is past due after a day, and ends after the grace period', () => {
    const asked: string[] = []
    life.passes(on('03-29'), (request) => {
      asked.push(life.now.slice(5, 10))
      answers('declined')(request)
    })
    expect(asked).to.deep.equal(['02-28', '03-01', '03-04', '03-09', '03-16'])
    expect(life.invoices[1]).to.include({ status: 'past-due', retry_at: null })
    expect(stands().slice(0, 2)).to.deep.equal(['active', 'past-due'])
    life.passes(on('03-30'))
    expect(stands().slice(0, 2)).to.deep.equal(['churned', 'abandoned'])
    life.passes(on('12-31'), answers('approved'))
    expect(life.invoices, 'nothing is asked for after the end').to.have.length(2)
  })

  it('is charged at once when its buyer asks for it, unless a charge is under way', () => {
    life.passes(on('02-28'), (request) => life.requests.push(request))
    const { id } = life.invoices[1]!
    const asks = () => {
      const before = life.requests.length
      life.asks('payNow', {}, { child: 'invoices', id })
      return life.requests.length - before
    }
    expect(asks(), 'the first charge is under way').to.equal(0)
    const answered = (result: 'approved' | 'declined') => answers(result)(life.requests.at(-1)!)
    answered('declined')
    expect(asks()).to.equal(1)
    expect(asks(), 'the one that was asked for is').to.equal(0)
    answered('approved')
    expect(asks(), 'it is paid').to.equal(0)
    expect(life.invoices[1]!.status).to.equal('paid')
  })

  it('is charged no more than 20 times for one invoice, however often its buyer asks', () => {
    life.passes(on('02-28'), (request) => life.requests.push(request))
    for (let clicks = 0; clicks < 30; clicks++) {
      answers('declined')(life.requests.at(-1)!)
      life.asks('payNow', {}, { child: 'invoices', id: life.invoices[1]!.id })
    }
    expect(life.requests).to.have.length(20)
  })

  it('continues when a later attempt is paid', () => {
    let tries = 0
    life.passes(on('03-20'), (request) => answers(++tries < 3 ? 'declined' : 'approved')(request))
    expect(stands()).to.deep.equal(['active', 'paid', '03-31', '03-31'])
    expect(life.transactions.map(({ result }) => result)).to.deep.equal([
      'approved',
      'declined',
      'declined',
      'approved',
    ])
  })

  it('records each answer of a gateway once, also when repeated, and late payments', () => {
    life.passes(on('02-28'))
    const invoice_id = life.invoices[1]!.id
    life.asks('abandon', {}, { child: 'invoices', id: invoice_id })
    const outcome = { invoice_id, external_id: 'ch-9', result: 'approved', transaction_id: 77 }
    life.asks('recordCharge', outcome)
    life.asks('recordCharge', { ...outcome, transaction_id: 78 })
    expect(life.transactions).to.have.length(2)
    expect(life.invoices[1]!.status).to.equal('paid')
  })

  it('treats a charge that could not be made as declined', () => {
    life.passes(on('02-28'))
    life.asks('chargeFailed', { invoice_id: life.invoices[1]!.id, reason: 'the gateway is away' })
    expect(life.invoices[1]).to.include({ status: 'unpaid', retry_at: on('03-01') })
    expect(life.transactions).to.have.length(1)
  })

  it('is charged when its trial is over', () => {
    const end = on('02-07')
    life = subscription({ anchor: end }, { trial_end_at: end, total_amount: '0.00', charge_id: null })
    expect(life.order.in_trial).to.equal(true)
    expect(stands()).to.deep.equal(['active', 'paid', '02-07', '02-07'])
    expect(life.transactions).to.deep.equal([])
    life.passes(end, answers('approved'))
    expect(life.order.in_trial).to.equal(false)
    expect(stands()).to.deep.equal(['active', 'paid', '03-07', '03-07'])
    expect(life.invoices.map(({ period }) => period)).to.deep.equal([null, 0])
  })

  it('is complete when a payment plan is fully paid and used', () => {
    life = subscription({ payments: 3 })
    life.passes(on('04-29'), answers('approved'))
    expect(stands()).to.deep.equal(['active', 'paid', '04-30', undefined])
    life.passes(on('12-31'), answers('approved'))
    expect(stands().slice(0, 2)).to.deep.equal(['completed', 'paid'])
    expect(life.invoices).to.have.length(3)
    expect(told().filter((type) => type === 'OrderCompleted')).to.have.length(1)
  })

  it('is not complete while the last payment is due', () => {
    life = subscription({ payments: 2 })
    life.passes(on('03-05'), answers('declined'))
    expect(stands()[0]).to.equal('active')
    life.passes(on('12-31'), answers('declined'))
    expect(stands().slice(0, 2)).to.deep.equal(['churned', 'abandoned'])
  })

  describe('cancelled', () => {
    const cancel = (wanted: object = {}) => life.asks('cancel', wanted)

    it('runs until the end of what is paid', () => {
      life.passes(on('02-10'))
      expect(cancel({ cancel_reason: 'unused', canceled_by: 'Ada' })).to.equal(undefined)
      expect(life.order).to.include({ canceled_at: on('02-10'), churned_at: on('02-28'), cancel_reason: 'unused' })
      expect(stands()).to.deep.equal(['canceled', 'paid', '02-28', undefined])
      life.passes(on('12-31'), answers('approved'))
      expect(stands()[0]).to.equal('churned')
      expect(life.invoices).to.have.length(1)
    })

    it('ends immediately when asked to, and voids the named unpaid invoices', () => {
      life.passes(on('03-01'))
      const owed = life.invoices[1]!.id
      expect(cancel({ effective_date: 'now', voidable_invoices: [life.invoices[0]!.id] })?.message).to.match(/unpaid/)
      expect(cancel({ effective_date: 'now', voidable_invoices: [owed] })).to.equal(undefined)
      expect(stands().slice(0, 2)).to.deep.equal(['churned', 'voided'])
      expect(life.invoices[1]!.status).to.equal('voided')
    })

    it('is refused when there is nothing to cancel, and for reasons that the processor does not accept', () => {
      expect(cancel({ cancel_reason: 'did-not-use' })?.message).to.match(
        /^Invalid reason 'did-not-use'. Valid values: /,
      )
      cancel({ effective_date: 'now' })
      expect(cancel()?.message).to.equal('The subscription is churned already')
      life = new OrderLife(BEGUN, saleOf(), [])
      expect(cancel()?.message).to.equal('Only subscription orders can be canceled')
    })
  })

  describe('given back', () => {
    const refund = (wanted: object = {}) =>
      life.asks('refund', wanted, { child: 'transactions', id: life.transactions[0]!.id })
    const settled = (refund_id: number) =>
      life.asks(
        'recordRefund',
        { external_id: 're-1', refund_id },
        { child: 'transactions', id: life.transactions[0]!.id },
      )

    it('is asked for once, recorded once, and shows in the invoice and the order', () => {
      expect(refund()).to.equal(undefined)
      expect(life.requests.map(({ type }) => type)).to.deep.equal(['TransactionRefundAsked'])
      expect(refund()?.kind).to.equal('notFound')
      settled(88)
      settled(89)
      const [charge, back, ...more] = life.transactions
      expect(more).to.deep.equal([])
      expect(charge!.status).to.equal('refunded')
      expect(back).to.include({ external_type: 'refund', amount: '30.00', adjusted_transaction_id: charge!.id })
      expect([life.invoices[0]!.status, life.order.billing_status]).to.deep.equal(['refunded', 'refunded'])
    })

    it('can be asked for again when it failed', () => {
      refund()
      life.asks('refundFailed', {}, { child: 'transactions', id: life.transactions[0]!.id })
      expect(refund()).to.equal(undefined)
    })

    it('is all of it or nothing, for a reason of the processor', () => {
      expect(refund({ partial: true })?.message).to.match(/^Partial refunds are not supported/)
      expect(refund({ amount: '1' })?.message).to.match(/^Partial refunds are not supported/)
      expect(refund({ reason: 'whim' })?.message).to.match(/^Invalid reason 'whim'. Valid values: duplicate/)
    })
  })
})
