import { expect } from 'chai'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { charge, charges } from '../../../domain/orders/billing/charge.ts'
import { ask, stateAfter } from '../../support/decider.ts'
import { type GatewayRequest, OrderLife } from '../../support/traffic/order-life.ts'
import { monthly, saleOf } from '../../support/traffic/sales.ts'

const BEGUN = '2026-01-31T08:00:00.000Z'
const at = (day: string) => `2026-${day}T08:00:00.000Z`

const agreed = (amount: string, interval = 'months') => ({
  ...{ amount, payment_type: 'subscription', interval, interval_count: 1 },
})
const price = (id: number, amount: string, interval = 'months') => ({
  ...{ id, workspace_id: 7, product_id: 3, variant_id: 11, archived: false },
  ...agreed(amount, interval),
})

/** A monthly subscription, bought at `amount` per unit, less a discount. */
const bought = ({ amount = '10.00', quantity = 1, discount = '0.00', prices = [] as object[] } = {}) => {
  const subtotal = (Number(amount) * quantity).toFixed(2)
  const total_amount = (Number(subtotal) - Number(discount)).toFixed(2)
  const [line] = saleOf().lines
  return new OrderLife(
    BEGUN,
    saleOf({
      plan: monthly(BEGUN),
      lines: [{ ...line!, quantity, amount, discount, agreed: agreed(amount) }],
      ...{ subtotal_amount: subtotal, discount, total_amount },
      charge_id: Number(total_amount) === 0 ? null : 'ch-0',
    }),
    [price(21, amount), ...(prices as never[])],
  )
}

let charged = 0
const approve = (life: OrderLife) => (request: GatewayRequest) =>
  life.asks('recordCharge', {
    invoice_id: request.data.invoice_id,
    ...{ external_id: `ch-${++charged}`, result: 'approved', transaction_id: life.mint() },
  })

const refundOf = (life: OrderLife, index = 0, wanted: object = {}) =>
  life.asks(
    'recordRefund',
    { external_id: `re-${index}`, refund_id: life.mint(), reason: null, ...wanted },
    { child: 'transactions', id: life.transactions[index]!.id },
  )

/** Keeps the policy from issuing invoices. @returns a function that does it for one period */
const withoutBills = (life: OrderLife) => {
  const policy = life as unknown as { bills: (data: object) => void }
  const bills = policy.bills.bind(life)
  policy.bills = () => undefined
  return { bill: (period: number) => bills({ period, lines: 1 }) }
}

const newest = (life: OrderLife) => life.invoices.at(-1)!

describe('what is charged', () => {
  it('is not charged twice: a second payment of an invoice is refused', () => {
    const life = bought()
    life.passes(at('02-28'))
    const [request] = [newest(life)]
    const outcome = { invoice_id: request.id, result: 'approved' }
    life.asks('recordCharge', { ...outcome, external_id: 'a', transaction_id: 70 })
    const refusal = life.asks('recordCharge', { ...outcome, external_id: 'b', transaction_id: 71 })
    expect(refusal?.message).to.match(/was paid already/)
    expect(life.transactions.filter(({ invoice_id }) => invoice_id === request.id)).to.have.length(1)
  })

  it('gives a payment back that cannot be recorded', () => {
    const names = charges.calls.map(({ name }) => name)
    expect(names).to.deep.equal([`${charge.name}.charge`, `${charge.name}.charge.undo`])
  })

  for (const ended of ['abandon', 'void', 'cancel now'] as const) {
    it(`ends with its invoice: ${ended}`, () => {
      const life = bought()
      life.passes(at('03-01'))
      const { id } = newest(life)
      if (ended === 'abandon') life.asks('abandon', {}, { child: 'invoices', id })
      else life.asks('cancel', { effective_date: 'now', ...(ended === 'void' && { voidable_invoices: [id] }) })
      expect(newest(life).status).to.equal(ended === 'void' ? 'voided' : 'abandoned')
      life.requests.length = 0
      life.asks('chargeFailed', { invoice_id: id, reason: 'away' })
      life.passes(at(ended === 'abandon' ? '03-30' : '12-31'), () => expect.fail('nothing is to be charged'))
      expect(life.invoices).to.have.length(2)
    })
  }

  it('is no period that fell due before the end, and is invoiced after it', () => {
    const life = bought()
    const { bill } = withoutBills(life)
    life.passes(at('02-28'))
    life.asks('cancel', { effective_date: 'now' })
    bill(1)
    expect(life.invoices).to.have.length(1)
  })

  it('is given back only where it was taken: not a charge that was declined', () => {
    const of = charges.decider
    const data = {
      ...{ status: 'going', step: 'charge', part: 0, done: [], because: null },
      stuck: null,
      doubted: false,
    }
    const begun = {
      type: 'ChargeBegun',
      data: { order_id: 1, invoice_id: 2, amount: '1.00', currency: 'USD', ...data },
    }
    const calledOff = { type: 'ChargeCalledOff', data: { because: 'the invoice has ended' } }
    const afterAnswer = (result: string) => {
      const keeps = { result, external_id: 'ch-1', reason: null }
      const command = ask('settle', { step: 'charge', part: 0, way: 'going', keeps })
      const decision = of.decide(stateAfter(of, [begun, calledOff]), command, undefined)
      return decision instanceof Refusal ? [] : decision.map((one) => [one.type, one.data.step])
    }
    expect(afterAnswer('declined')).to.deep.equal([['ChargeFailed', null]])
    expect(afterAnswer('approved')).to.deep.equal([['ChargeMoved', 'charge']])
  })

  it('is what was agreed, whatever the catalogue says later', () => {
    const life = bought({ amount: '30.00' })
    Object.assign((life as unknown as { prices: { amount: string }[] }).prices[0]!, { amount: '3000.00' })
    life.passes(at('02-28'))
    expect(newest(life).total_amount).to.equal('30.00')
  })
})

describe('a subscription that is to end with its period', () => {
  const ending = () => {
    const life = bought()
    life.passes(at('02-10'))
    life.asks('cancel')
    return life
  }

  it('can be ended at once', () => {
    const life = ending()
    expect(life.asks('cancel')?.message).to.match(/canceled already/)
    expect(life.asks('cancel', { effective_date: 'now' })).to.equal(undefined)
    expect(life.order).to.include({ service_status: 'churned', churned_at: at('02-10') })
    expect(life.events.filter(({ type }) => type === 'SubscriptionCanceled')).to.have.length(1)
  })

  it('can be reactivated, and renews on its day', () => {
    const life = ending()
    expect(life.asks('reactivate')).to.equal(undefined)
    expect(life.order).to.include({ service_status: 'active', canceled_at: null, churned_at: null })
    life.passes(at('03-01'), approve(life))
    expect(life.invoices.map(({ period }) => period)).to.deep.equal([0, 1])
    expect(life.asks('reactivate')?.message).to.match(/it is active$/)
  })

  it('is not charged afterwards for what would have been due before it is reactivated', () => {
    const sale = saleOf({ payment_processor: 'payments_ai', plan: monthly(BEGUN) })
    const life = new OrderLife(BEGUN, sale, [price(21, '30.00')])
    life.asks('change', { dates: { renewal_at: at('02-10') } })
    life.passes(at('02-05'))
    life.asks('cancel')
    life.passes(at('02-20'))
    expect(life.asks('reactivate')).to.equal(undefined)
    expect(life.order.next_charge_at).to.equal(at('02-28'))
    life.passes(at('03-30'), approve(life))
    expect(life.invoices.map(({ issued_at }) => issued_at)).to.deep.equal([BEGUN, at('02-28'), at('03-28')])
  })

  it('cannot be reactivated after its end', () => {
    const life = ending()
    life.passes(at('03-01'))
    expect(life.asks('reactivate')?.message).to.match(/it is churned$/)
  })

  it('ends on documented dates only', () => {
    expect(bought().asks('cancel', { effective_date: 'tomorrow' })?.details[0]?.field).to.equal('order.effective_date')
  })
})

describe('a credit for the time that is left', () => {
  /** Moves to a yearly price of 1,000 in the middle of February. @returns the discount of the new invoice, or the refusal */
  const credit = (life: OrderLife): string | null => {
    life.passes(at('02-14'))
    const refusal = life.moves(30, 'now')
    return refusal instanceof Refusal ? refusal.message : newest(life).discount
  }
  const yearly = price(30, '1000.00', 'years')
  const twoYears = { ...price(31, '2000.00', 'years'), interval_count: 2 }

  it('is the part of what was paid', () => {
    expect(credit(bought({ prices: [yearly] }))).to.equal('5.00')
  })

  it('is nothing for a period that was free', () => {
    expect(credit(bought({ discount: '10.00', prices: [yearly] }))).to.equal('0.00')
  })

  it('is less for a period that was discounted', () => {
    expect(credit(bought({ discount: '5.00', prices: [yearly] }))).to.equal('2.50')
  })

  it('is nothing for a period that was given back, and less where a part was', () => {
    const whole = bought({ prices: [yearly] })
    refundOf(whole)
    expect(whole.order.paid_until).to.equal(BEGUN)
    expect(credit(whole)).to.equal('0.00')
    const part = bought({ prices: [yearly] })
    refundOf(part, 0, { told: '8.00' })
    expect(credit(part)).to.equal('1.00')
  })

  it('is nothing for a payment that is about to be given back', () => {
    const life = bought({ prices: [yearly] })
    life.asks('refund', {}, { child: 'transactions', id: life.transactions[0]!.id })
    expect(credit(life)).to.equal('0.00')
  })

  it('is never more than the whole, also by a clock that was set back', () => {
    const life = bought({ prices: [yearly] })
    life.passes(at('03-01'), approve(life))
    life.now = at('01-31')
    life.moves(30, 'now')
    expect(newest(life).discount).to.equal('10.00')
  })

  it('does not follow the catalogue', () => {
    const life = bought({ prices: [yearly] })
    Object.assign((life as unknown as { prices: { amount: string }[] }).prices[0]!, { amount: '900.00' })
    expect(credit(life)).to.equal('5.00')
  })

  it('does not grow from one change to the next', () => {
    const life = bought({ prices: [yearly, twoYears] })
    credit(life)
    approve(life)(life.requests.pop()!)
    refundOf(life, 1)
    expect(life.order.paid_until).to.equal(at('02-14'))
    life.passes(at('02-15'))
    expect(life.moves(31, 'now')?.message).to.equal(undefined)
    expect(newest(life)).to.include({ discount: '0.00', total_amount: '2000.00' })
  })

  it('counts as paid where it was', () => {
    const life = bought({ prices: [yearly, twoYears] })
    credit(life)
    approve(life)(life.requests.pop()!)
    expect(life.moves(31, 'now')?.message).to.equal(undefined)
    expect(newest(life)).to.include({ discount: '1000.00', total_amount: '1000.00' })
  })
})

describe('the difference to a price with the same rhythm', () => {
  it('makes up for what was not paid, so that the period never costs more than its dearest price', () => {
    const life = bought({ discount: '10.00', prices: [price(30, '5.00')] })
    life.moves(30, 'now')
    approve(life)(life.requests.pop()!)
    life.moves(21, 'now')
    expect(life.invoices.map(({ total_amount }) => total_amount)).to.deep.equal(['0.00', '5.00', '5.00'])
  })

  it('is rounded once for the whole line', () => {
    const life = bought({ amount: '1.00', quantity: 500, prices: [price(30, '1.10')] })
    const whole = Date.parse(at('02-28')) - Date.parse(BEGUN)
    life.passes(new Date(Date.parse(at('02-28')) - whole / 3).toISOString())
    life.moves(30, 'now')
    expect(newest(life)).to.include({ subtotal_amount: '16.67', total_amount: '16.67' })
  })
})

describe('a change while a period that fell due has no invoice yet', () => {
  for (const when of ['now', 'next_renewal'] as const)
    it(`has to wait, so that the period is invoiced once and at its own price: ${when}`, () => {
      const life = bought({ prices: [price(30, '20.00')] })
      const { bill } = withoutBills(life)
      life.passes(at('02-28'))
      expect(life.moves(30, when)?.message).to.match(/its renewal is being invoiced/)
      bill(1)
      expect(newest(life)).to.include({ period: 1, total_amount: '10.00' })
      expect(life.moves(30, 'next_renewal')).to.equal(undefined)
    })
})

describe('a change at the renewal', () => {
  it('keeps the day of the month', () => {
    const life = bought({ prices: [price(30, '30.00', 'quarters')] })
    life.passes(at('02-10'))
    expect(life.moves(30, 'next_renewal')).to.equal(undefined)
    life.passes(at('12-31'), approve(life))
    expect(life.invoices.map(({ issued_at }) => issued_at)).to.deep.equal([
      BEGUN,
      ...['02-28', '05-31', '08-31', '11-30'].map(at),
    ])
  })
})

describe('a refund that fails after it was recorded', () => {
  it('is taken back, once', () => {
    const life = bought()
    refundOf(life)
    expect(life.order).to.include({ billing_status: 'refunded', paid_until: BEGUN })
    const reverse = () =>
      life.asks(
        'reverseRefund',
        { external_id: 're-0', amount: '10.00' },
        { child: 'transactions', id: life.transactions[0]!.id },
      )
    reverse()
    const count = life.events.length
    reverse()
    expect(life.events).to.have.length(count)
    expect(life.transactions.map(({ status }) => status)).to.deep.equal(['completed', 'declined'])
    expect(life.order).to.include({ billing_status: 'paid', paid_until: at('02-28') })
    refundOf(life, 0, { external_id: 're-1' })
    expect(life.transactions.filter(({ result }) => result === 'approved')).to.have.length(2)
  })
})
