import { expect } from 'chai'
import { emptyCart, withQuantity } from '../../sdk/checkout/cart.ts'
import type { Outcome } from '../../sdk/checkout/follow.ts'
import type { Cart } from '../../sdk/checkout/model.ts'
import { createPayer, type PayDeps, type PayRequest } from '../../sdk/checkout/pay.ts'
import { createPending } from '../../sdk/checkout/pending.ts'
import { createPricer } from '../../sdk/checkout/pricer.ts'
import { createStore } from '../../sdk/checkout/store.ts'
import type { Core } from '../../sdk/checkout-port.ts'
import { fakeCore, settled } from './support/core.ts'
import { pricedAs } from './support/priced.ts'

const FORM = {} as HTMLFormElement
const PAID = { ok: true, status: 'paid', redirect: '/end' }
const REFUSED = {
  ok: true,
  status: 'refused',
  errors: [{ code: 'declined', message: 'Declined', source: 'gateway' }],
}

/** A payer over a shop that prices a piece at `unit`, and answers each pay with the next of these. */
const begin = async (answers: readonly object[], more: Partial<PayDeps> = {}) => {
  const fake = fakeCore()
  const store = createStore(fake.core)
  const shop = { factor: 1, tokens: 0, sent: [] as PayRequest[], wait: settled, required: true }
  const price = async (cart: Cart) => {
    await shop.wait()
    const priced = pricedAs(cart, { payment_required: shop.required })
    const { totals } = priced.state
    const total = totals.total * shop.factor
    return { ...priced, version: `v${total}`, state: { ...priced.state, totals: { ...totals, total } } }
  }
  const pricer = createPricer(emptyCart('cart-1234'), {
    store,
    pending: createPending(fake.core),
    price,
    soon: settled,
  })
  const entries: [string, string][] = [
    ['email', ' ana@example.test '],
    ['first-name', 'Ana'],
    ['custom-attribute:color', 'red'],
  ]
  const left = [...answers]
  const pay = createPayer({
    core: { ...fake.core, entries: () => entries } as unknown as Core,
    store,
    pricer,
    complete: () => true,
    submit: () => async () => ({ token: `token_${++shop.tokens}` }),
    send: async (request) => {
      shop.sent.push(request)
      return (left.shift() ?? PAID) as never
    },
    askAgain: async () => 'refused',
    beginning: () => undefined,
    ask: async () => (left.shift() ?? PAID) as never,
    confirm: async () => (left.shift() ?? PAID) as never,
    authenticate: async () => 'approved',
    wait: async () => undefined,
    checking: () => undefined,
    signal: new AbortController().signal,
    ...more,
  })
  const press = (): Promise<Outcome> => pay({ form: FORM })
  const add = (quantity: number) => pricer.change(withQuantity('v1', 'p1', quantity))
  await add(1)
  return { ...fake, store, pricer, shop, press, add, entries }
}

const codesOf = (outcome: Outcome) => (outcome.end === 'refused' ? outcome.errors.map(({ code }) => code) : outcome.end)

describe('paying for a cart', () => {
  it('45: names the version and the total that the buyer saw, and the whole cart of its own page', async () => {
    const { press, shop } = await begin([PAID])
    expect(await press()).to.deep.equal({ end: 'paid', redirect: '/end' })
    const [{ cart, shown, contact, custom, payment, attempt } = {} as PayRequest] = shop.sent
    expect({ shown, contact, custom, payment, attempt }).to.deep.equal({
      shown: { version: 'v1000', total: 1000 },
      contact: { email: 'ana@example.test', first_name: 'Ana' },
      custom: [['color', 'red']],
      payment: { token: 'token_1' },
      attempt: 1,
    })
    expect(cart.lines).to.deep.equal([{ variant_id: 'v1', price_id: 'p1', quantity: 1 }])
  })

  it('44: a press while a change is on its way waits, and does not charge a total that was not shown', async () => {
    const { press, add, shop, store } = await begin([PAID])
    const adding = add(2)
    const first = press()
    await adding
    expect(codesOf(await first)).to.deep.equal(['totals_changed'])
    expect([shop.sent.length, shop.tokens]).to.deep.equal([0, 0])
    expect(store.shown()?.total).to.equal(2000)
    expect((await press()).end).to.equal('paid')
    expect(shop.sent[0]?.shown.total).to.equal(2000)
  })

  it('44: a press while the same total is priced anew goes through', async () => {
    const { press, pricer, shop } = await begin([PAID])
    void pricer.change((cart) => ({ ...cart, shipping_option_id: 'standard' }))
    expect((await press()).end).to.equal('paid')
    expect(shop.sent[0]?.cart.shipping_option_id).to.equal('standard')
  })

  it('44: a change while the card becomes a token is not charged', async () => {
    const holder: { add?: (quantity: number) => Promise<void> } = {}
    const scene = await begin([PAID], {
      submit: () => async () => {
        await holder.add?.(5)
        return { token: 't' }
      },
    })
    holder.add = scene.add
    expect(codesOf(await scene.press())).to.deep.equal(['totals_changed'])
    expect(scene.shop.sent).to.deep.equal([])
  })

  it('takes what was entered before anything is waited for, and only once', async () => {
    const log: string[] = []
    const { press } = await begin([PAID], {
      submit: () => {
        log.push('submit')
        return async () => {
          log.push('tokenize')
          return { token: 't' }
        }
      },
    })
    const pressed = press()
    expect(log).to.deep.equal(['submit'])
    await pressed
    expect(log).to.deep.equal(['submit', 'tokenize'])
  })

  it('46: a refusal because of the price shows the new state and begins no attempt', async () => {
    const changed = pricedAs(withQuantity('v1', 'p1', 7)(emptyCart('cart-1234')))
    const refusal = { ...changed, ok: false, error: { code: 'totals_changed', message: 'The total has changed' } }
    const { press, shop, store } = await begin([refusal, PAID])
    expect(codesOf(await press())).to.deep.equal(['totals_changed'])
    expect(store.shown()?.total).to.equal(7000)
    expect((await press()).end).to.equal('paid')
    expect(shop.sent.map(({ attempt, shown }) => [attempt, shown.total])).to.deep.equal([
      [1, 1000],
      [1, 7000],
    ])
  })

  it('48: a total of 0 needs no token', async () => {
    const { press, shop, pricer } = await begin([PAID])
    shop.factor = 0
    shop.required = false
    await pricer.change((cart) => cart)
    expect((await press()).end).to.equal('paid')
    expect([shop.tokens, shop.sent[0]?.payment, shop.sent[0]?.shown.total]).to.deep.equal([0, null, 0])
  })

  it('49: the address of the buyer is priced before they pay', async () => {
    const { press, shop } = await begin([PAID])
    await press()
    expect(shop.sent[0]?.cart.email).to.equal('ana@example.test')
  })

  it('56: only a known refusal counts as an attempt, and a new one has a token of its own', async () => {
    const { press, shop } = await begin([REFUSED, PAID])
    expect(codesOf(await press())).to.deep.equal(['declined'])
    expect((await press()).end).to.equal('paid')
    expect(shop.sent.map(({ attempt, payment }) => [attempt, payment?.token])).to.deep.equal([
      [1, 'token_1'],
      [2, 'token_2'],
    ])
  })

  it('57: an answer that is lost begins no new attempt', async () => {
    const lost = { ok: false, error: { code: 'unreachable', message: 'No answer' } }
    const none = { ok: true, status: 'none' }
    const { press, shop } = await begin([lost, none, none, none, none, none, PAID])
    expect(codesOf(await press())).to.deep.equal(['unreachable'])
    expect((await press()).end).to.equal('paid')
    expect(shop.sent.map(({ attempt }) => attempt)).to.deep.equal([1, 1])
  })

  it('57: an answer that is lost after the charge leads on', async () => {
    const lost = { ok: false, error: { code: 'unavailable', message: 'Being begun' } }
    const { press } = await begin([lost, { ok: true, status: 'pending' }, PAID])
    expect((await press()).end).to.equal('paid')
  })

  it('does not pay without an address, for an empty cart, or for what could not be priced', async () => {
    const { press, add, shop, entries, store } = await begin([])
    const [email] = entries.splice(0, 1)
    expect(codesOf(await press())).to.deep.equal(['email_required'])
    entries.unshift(email!)
    await add(0)
    expect(codesOf(await press())).to.deep.equal([])
    expect(store.state().line_items).to.deep.equal([])
    expect(shop.sent).to.deep.equal([])
  })

  describe('of what was bought a minute ago', () => {
    const BOUGHT = { ok: false, error: { code: 'bought_already', message: 'You bought this a minute ago' } }

    it('goes on, with the same card, when the buyer says yes', async () => {
      const asked: string[] = []
      const askAgain = async (text: string) => {
        asked.push(text)
        return 'approved' as const
      }
      const { press, shop } = await begin([BOUGHT, PAID], { askAgain })
      expect((await press()).end).to.equal('paid')
      expect(asked).to.deep.equal(['You bought this a minute ago'])
      expect(shop.sent.map(({ again, attempt, payment }) => [again, attempt, payment?.token])).to.deep.equal([
        [false, 1, 'token_1'],
        [true, 1, 'token_1'],
      ])
    })

    it('ends without an error when the buyer says no, and asks the next time', async () => {
      const { press, shop } = await begin([BOUGHT, BOUGHT])
      for (const _ of [1, 2]) expect(codesOf(await press())).to.deep.equal([])
      expect(shop.sent.map(({ again }) => again)).to.deep.equal([false, false])
    })
  })
})
