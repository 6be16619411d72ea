import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { Gateway } from '../../../infra/payments/gateway.ts'
import { rebillyAmount, rebillyGateway } from '../../../infra/payments/rebilly.ts'
import { simulator } from '../../../infra/payments/simulator.ts'
import { stripeGateway } from '../../../infra/payments/stripe.ts'
import { stripeAmount, stripeDecimal } from '../../../infra/payments/stripe-amounts.ts'
import type { Behaviour, Double } from '../../support/payments/double.ts'
import { ORGANIZATION, openRebillyDouble, REBILLY_KEY, WEBSITE } from '../../support/payments/rebilly-double.ts'
import { openStripeDouble, STRIPE_KEY } from '../../support/payments/stripe-double.ts'
import { type GatewaySetting, gatewayContract } from './gateway.contract.ts'

interface Books extends Double {
  readonly charges: readonly { readonly amount: number; readonly currency: string }[]
  readonly refunds: readonly { readonly amount: number }[]
  answersBank(result: 'approved' | 'refused'): void
}

interface Bench {
  readonly double: Books
  readonly gateway: Gateway
  token(kind: string): string
}

const openStripe = async (secretKey = STRIPE_KEY): Promise<Bench> => {
  const double = await openStripeDouble()
  const fixed = new Set(['declined', 'insufficient', 'authentication'])
  const token = (kind: string) =>
    kind === 'asks' ? 'ctoken_authentication' : fixed.has(kind) ? `pm_${kind}` : `pm_${randomUUID()}`
  return { double, gateway: stripeGateway({ secretKey, url: double.url }), token }
}

const openRebilly = async (secretKey = REBILLY_KEY): Promise<Bench> => {
  const double = await openRebillyDouble()
  const access = { secretKey, url: double.url, organizationId: ORGANIZATION, websiteId: WEBSITE }
  return {
    double,
    gateway: rebillyGateway(access),
    token: (kind) => `${kind === 'asks' ? 'authentication' : kind}-${randomUUID()}`,
  }
}

const onDouble = (open: () => Promise<Bench>) => async (): Promise<GatewaySetting> => {
  const { double, ...bench } = await open()
  return {
    ...bench,
    token: (kind) => (kind === 'unknown' ? 'none/none' : bench.token(kind)),
    async behaves(how) {
      if (how === 'down') await double.close()
      else double.behaves(how === 'timeout' ? 'acts and hangs' : 'answers')
    },
    answersBank: (result) => double.answersBank(result),
    books: () => ({ charges: double.charges.length, refunds: double.refunds.length }),
    close: () => double.close(),
  }
}

/** Codes for which the simulator uses other words. */
const SIMULATED: Readonly<Record<string, string>> = {
  insufficient: 'insufficient_funds',
  authentication: 'authentication_required',
  asks: 'sim_4000002500003155',
  timeout: 'late',
}

describe('payments by the simulator', () => {
  gatewayContract(async () => ({
    gateway: simulator,
    token: (kind) => SIMULATED[kind] ?? kind,
    behaves: async () => undefined,
    answersBank: () => undefined,
    close: async () => undefined,
  }))

  const request = { workspace_id: 1, gateway_account_id: 0, amount: '1.00', currency: 'USD', about: '' }

  it('have an unknown outcome, or a refused refund, when the payment method says so', async () => {
    const signal = AbortSignal.timeout(1000)
    const lost = { ...request, payment_method_id: 'lost' }
    expect((await simulator.charge.send(lost, 'a', signal)).came).to.equal('unknown')
    expect((await simulator.charge.find(lost, 'a', signal)).came).to.equal('unknown')
    const back = async (method: string) => {
      const came = await simulator.charge.send({ ...request, payment_method_id: method }, 'b', signal)
      if (came.came !== 'answered') throw new Error(JSON.stringify(came))
      const { external_id } = came.answer
      return (await simulator.refund.send({ ...request, external_id, reason: '' }, 'c', signal)).came
    }
    expect([await back('refund_refused'), await back('refund_lost')]).to.deep.equal(['refused', 'unknown'])
  })
})

for (const [name, open] of [
  ['Stripe', openStripe],
  ['Rebilly', openRebilly],
] as const)
  describe(`payments over ${name}`, () => {
    gatewayContract(onDouble(open))

    const account = { workspace_id: 1, gateway_account_id: 1 }
    const { signal } = new AbortController()
    let bench: Bench
    beforeEach(async () => {
      bench = await open()
    })
    afterEach(() => bench.double.close())

    const request = async (more: object = {}) => {
      const saving = { ...account, token: bench.token('approved'), contact_id: 5, email_address: null }
      const saved = await bench.gateway.save.send(saving, randomUUID(), signal)
      if (saved.came !== 'answered') throw new Error(JSON.stringify(saved))
      const { payment_method_id } = saved.answer
      return { ...account, payment_method_id, amount: '12.50', currency: 'USD', about: 'A shirt', ...more }
    }
    /** Result of a charge when the gateway behaves in this manner, and of the query for it. */
    const met = async (manner: Behaviour) => {
      const charge = await request()
      const key = randomUUID()
      bench.double.behaves(manner)
      const { came } = await bench.gateway.charge.send(charge, key, signal)
      bench.double.behaves('answers')
      const found = await bench.gateway.charge.find(charge, key, signal)
      const again = await bench.gateway.charge.send(charge, key, signal)
      return { came, found: found.came, again: again.came, charges: bench.double.charges.length }
    }

    it('have an unknown outcome when the connection is cut, and charge once in either case', async () => {
      const { again, ...after } = await met('acts and cuts')
      expect(again).to.be.oneOf(['answered', 'unknown'])
      expect(after).to.deep.equal({ came: 'unknown', found: 'answered', charges: 1 })
      const charges = bench.double.charges.length + 1
      expect(await met('cuts')).to.deep.equal({ came: 'unknown', found: 'never', again: 'answered', charges })
    })

    it('are certainly not made when it is too busy, and possibly made when it is broken', async () => {
      expect(await met('is busy')).to.deep.equal({ came: 'failed', found: 'never', again: 'answered', charges: 1 })
      expect(await met('is broken')).to.deep.equal({ came: 'unknown', found: 'never', again: 'answered', charges: 2 })
    })

    it('are refused with a wrong key, which leaves earlier outcomes open', async () => {
      const other = await open('sk_test_of_somebody_else')
      try {
        const charge = await request()
        const refused = await other.gateway.charge.send(charge, randomUUID(), signal)
        expect(refused.came).to.equal('refused')
        expect(JSON.stringify(refused)).not.to.include('somebody')
        expect((await other.gateway.charge.find(charge, randomUUID(), signal)).came).to.equal('unknown')
      } finally {
        await other.double.close()
      }
    })

    it('are refused where the amount is finer than the currency, before anything is sent', async () => {
      const charge = await request({ amount: '1.5', currency: 'JPY' })
      expect((await bench.gateway.charge.send(charge, randomUUID(), signal)).came).to.equal('refused')
      expect(bench.double.charges).to.have.length(0)
    })

    it('refund a part, and no more than was charged', async () => {
      const came = await bench.gateway.charge.send(await request(), randomUUID(), signal)
      if (came.came !== 'answered') throw new Error(JSON.stringify(came))
      const part = { ...account, external_id: came.answer.external_id, amount: '12.00', currency: 'USD', reason: 'x' }
      expect((await bench.gateway.refund.send(part, randomUUID(), signal)).came).to.equal('answered')
      expect((await bench.gateway.refund.send(part, randomUUID(), signal)).came).to.equal('refused')
      expect(bench.double.refunds).to.have.length(1)
    })

    it('refund once when the answer was lost', async () => {
      const came = await bench.gateway.charge.send(await request(), randomUUID(), signal)
      if (came.came !== 'answered') throw new Error(JSON.stringify(came))
      const all = { ...account, external_id: came.answer.external_id, amount: '6.00', currency: 'USD', reason: 'x' }
      const key = randomUUID()
      bench.double.behaves('acts and cuts')
      expect((await bench.gateway.refund.send(all, key, signal)).came).to.equal('unknown')
      bench.double.behaves('answers')
      const found = await bench.gateway.refund.find(all, key, signal)
      expect(found.came).to.equal('answered')
      expect(await bench.gateway.refund.send(all, key, signal)).to.deep.equal(found)
      expect(bench.double.refunds).to.have.length(1)
    })
  })

describe('amounts in the units of gateways', () => {
  it('are in hundredths at Stripe, but for currencies without them and with thousandths', () => {
    const cases = [
      ['12.5', 'USD', 1250],
      ['1250', 'JPY', 1250],
      ['10.00', 'MGA', 10],
      ['10.50', 'MGA', undefined],
      ['100', 'UGX', 10_000],
      ['100', 'ISK', 10_000],
      ['1.230', 'KWD', 1230],
      ['1.234', 'KWD', undefined],
      ['1.005', 'USD', undefined],
    ] as const
    for (const [amount, currency, units] of cases)
      expect(stripeAmount(amount, currency), `${amount} ${currency}`).to.equal(units)
    for (const [amount, currency] of [
      ['12.50', 'USD'],
      ['1250', 'JPY'],
      ['10.00', 'MGA'],
      ['100', 'UGX'],
      ['1.230', 'KWD'],
    ] as const)
      expect(stripeDecimal(stripeAmount(amount, currency)!, currency), currency).to.equal(amount)
  })

  it('13a 50: are 500 for 500 yen and for 5.00 dollars, and come back by the same table', () => {
    for (const [amount, currency] of [
      ['500', 'JPY'],
      ['5.00', 'USD'],
    ] as const) {
      expect(stripeAmount(amount, currency), currency).to.equal(500)
      expect(stripeDecimal(500, currency), currency).to.equal(amount)
    }
    expect([rebillyAmount('500', 'JPY'), rebillyAmount('5.00', 'USD')]).to.deep.equal([500, 5])
  })

  it('are decimals at Rebilly, as fine as the currency', () => {
    expect(rebillyAmount('12.50', 'USD')).to.equal(12.5)
    expect(rebillyAmount('1.234', 'KWD')).to.equal(1.234)
    expect(rebillyAmount('1.5', 'JPY')).to.equal(undefined)
  })
})
