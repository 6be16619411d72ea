import { expect } from 'chai'
import { type GatewayRequest, OrderLife } from '../../support/traffic/order-life.ts'
import { monthly, RECURRING, saleOf } from '../../support/traffic/sales.ts'

const BEGUN = '2026-01-31T08:00:00.000Z'
const at = (day: string) => `2026-${day}T08:00:00.000Z`
const END = at('02-14')

const inTrial = (payment_processor = 'payments_ai') =>
  new OrderLife(
    BEGUN,
    saleOf({ payment_processor, plan: monthly(END), trial_end_at: END, total_amount: '0.00', charge_id: null }),
    [RECURRING],
  )
const running = (payment_processor = 'payments_ai') =>
  new OrderLife(BEGUN, saleOf({ payment_processor, plan: monthly(BEGUN) }), [RECURRING])

let charged = 0
const approve = (life: OrderLife) => (request: GatewayRequest) =>
  life.asks('recordCharge', {
    invoice_id: request.data.invoice_id,
    ...{ external_id: `ch-${++charged}`, result: 'approved', transaction_id: life.mint() },
  })
const types = (life: OrderLife) => life.events.map(({ type }) => type)
const issued = (life: OrderLife) => life.invoices.map(({ issued_at }) => issued_at)

describe('the end of a trial', () => {
  it('can be moved while it runs, with the first charge', () => {
    const life = inTrial('stripe')
    expect(life.asks('change', { dates: { trial_end_at: at('03-01') } })).to.equal(undefined)
    expect(life.order).to.include({ trial_end_at: at('03-01'), next_charge_at: at('03-01'), paid_until: at('03-01') })
    life.passes(at('04-02'), approve(life))
    expect(issued(life)).to.deep.equal([BEGUN, at('03-01'), at('04-01')])
  })

  it('is not moved by null, by itself, to the past, beyond two years, or after it', () => {
    const life = inTrial()
    const count = life.events.length
    for (const value of [null, END]) expect(life.asks('change', { dates: { trial_end_at: value } })).to.equal(undefined)
    expect(life.events).to.have.length(count)
    const refused = (value: string) => life.asks('change', { dates: { trial_end_at: value } })?.message
    expect(refused(BEGUN)).to.equal('trial_end_at must be in the future')
    expect(refused('2028-02-01T08:00:00.000Z')).to.match(/two years/)
    life.passes(at('02-20'), approve(life))
    expect(refused(at('03-01'))).to.equal('trial_end_at can only be adjusted while the order is in a trial')
  })

  it('comes before the first charge where the renewal is later', () => {
    const life = inTrial()
    expect(life.asks('change', { dates: { renewal_at: at('02-10') } })?.message).to.match(/before the trial ends/)
    expect(life.asks('change', { dates: { renewal_at: at('03-01') } })).to.equal(undefined)
    life.passes(at('02-20'), () => expect.fail('nothing is charged'))
    expect(life.order.in_trial).to.equal(false)
    life.passes(at('03-02'), approve(life))
    expect(issued(life)).to.deep.equal([BEGUN, at('03-01')])
    expect(types(life).filter((type) => type === 'SubscriptionFirstPaymentReceived')).to.have.length(1)
  })
})

describe('the next renewal', () => {
  it('can be moved, and those after it follow; what is paid is not extended', () => {
    const life = running()
    life.passes(at('02-10'))
    expect(life.asks('change', { dates: { renewal_at: at('03-10') } })).to.equal(undefined)
    expect(life.order).to.include({ next_charge_at: at('03-10'), paid_until: at('02-28') })
    life.passes(at('04-11'), approve(life))
    expect(issued(life)).to.deep.equal([BEGUN, at('03-10'), at('04-10')])
  })

  it('is refused where the processor or the status does not allow it', () => {
    const refused = (life: OrderLife, wanted: object) => life.asks('change', { dates: wanted })?.message
    expect(refused(running('stripe'), { renewal_at: at('03-10') })).to.match(/on a Stripe order$/)
    const ended = running()
    ended.asks('cancel')
    expect(refused(ended, { renewal_at: at('03-10') })).to.match(/while the order is canceled$/)
    expect(refused(inTrial(), { renewal_at: at('03-10'), trial_end_at: at('03-11') })).to.match(/same timestamp/)
    expect(refused(new OrderLife(BEGUN, saleOf(), []), { renewal_at: at('03-10') })).to.match(/^External orders/)
  })
})

describe('the first payment of a subscription', () => {
  it('is that of its first period, and comes once', () => {
    const life = running()
    life.passes(at('04-01'), approve(life))
    expect(types(life).filter((type) => type === 'SubscriptionFirstPaymentReceived')).to.have.length(1)
    expect(types(life).indexOf('SubscriptionFirstPaymentReceived')).to.be.below(types(life).indexOf('RenewalFellDue'))
  })
})
