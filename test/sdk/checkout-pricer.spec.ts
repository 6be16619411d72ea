import { expect } from 'chai'
import { emptyCart, withQuantity } from '../../sdk/checkout/cart.ts'
import { createCartCalls } from '../../sdk/checkout/cart-calls.ts'
import type { Cart } from '../../sdk/checkout/model.ts'
import { createPending } from '../../sdk/checkout/pending.ts'
import { createPricer } from '../../sdk/checkout/pricer.ts'
import { createStore } from '../../sdk/checkout/store.ts'
import { fakeCore, settled } from './support/core.ts'
import { pricedAs } from './support/priced.ts'

const begin = () => {
  const fake = fakeCore()
  const store = createStore(fake.core)
  const waiting: { readonly cart: Cart; readonly give: (answer: object) => void }[] = []
  const pricer = createPricer(emptyCart('cart-1234'), {
    store,
    pending: createPending(fake.core),
    price: (cart) => new Promise((give) => void waiting.push({ cart, give: give as (answer: object) => void })),
    soon: settled,
  })
  const calls = createCartCalls({
    store,
    pricer,
    addresses: { give: () => ({ shipping_address: null, billing_address: null }) },
  })
  const answer = (more: object = {}) => {
    const request = waiting.shift()!
    request.give({ ...pricedAs(request.cart), ...more })
    return settled()
  }
  return { ...fake, store, pricer, calls, waiting, answer }
}

describe('pricing of a cart', () => {
  it('43: ten calls in a burst settle with the last, in two requests, and pending ends once', async () => {
    const { calls, waiting, answer, states, pending } = begin()
    const first = calls.setQuantity('v1', 'p1', 1)
    await settled()
    const others = Array.from({ length: 9 }, (_, index) => calls.setQuantity('v1', 'p1', index + 2))
    expect(waiting).to.have.length(1)
    await answer()
    expect(waiting.map(({ cart }) => cart.lines[0]?.quantity)).to.deep.equal([10])
    await answer()
    const all = await Promise.all([first, ...others])
    expect(new Set(all.map(({ totals }) => totals.total))).to.deep.equal(new Set([10_000]))
    expect((await calls.currentState()).totals.total).to.equal(10_000)
    expect(states().map(({ totals }) => totals.total)).to.deep.equal([10_000])
    expect(pending()).to.deep.equal([true, false])
  })

  it('43: never shows what was priced before the cart changed again', async () => {
    const { calls, answer, states } = begin()
    void calls.setQuantity('v1', 'p1', 5)
    await settled()
    void calls.setQuantity('v1', 'p1', 2)
    await answer()
    expect(states()).to.deep.equal([])
    await answer()
    expect(states().map(({ totals }) => totals.total)).to.deep.equal([2000])
  })

  it('51: a wrong quantity is an error of the state, and the cart is as it was', async () => {
    const { calls, answer, pricer, errors } = begin()
    const good = calls.setQuantity('v1', 'p1', 2)
    await settled()
    await answer()
    await good
    for (const wrong of [-1, 1.5, 1e9, Number.NaN]) {
      const state = await calls.setQuantity('v1', 'p1', wrong)
      expect(state.errors.map(({ code, source }) => [code, source])).to.deep.equal([['invalid_quantity', 'validation']])
      expect(state.totals.total).to.equal(2000)
    }
    const text: unknown = '2'
    await calls.setQuantity('v1', 'p1', text as number)
    expect(pricer.cart().lines).to.deep.equal([{ variant_id: 'v1', price_id: 'p1', quantity: 2 }])
    expect(errors()).to.have.length(5)
  })

  it('51: a price that is not sold here is reported once, and leaves the cart', async () => {
    const { calls, waiting, pricer } = begin()
    const asked = calls.setQuantity('v1', 'other', 1)
    await settled()
    const request = waiting.shift()!
    const priced = pricedAs(emptyCart('cart-1234'))
    const error = { code: 'not_sold', message: 'Not sold here', source: 'validation' }
    request.give({ ...priced, state: { ...priced.state, errors: [error] } })
    expect((await asked).errors).to.deep.equal([error])
    expect(pricer.cart().lines).to.deep.equal([])
  })

  it('keeps lines that could not be priced for a reason of another kind', async () => {
    const { calls, waiting, pricer } = begin()
    const asked = calls.setQuantity('v1', 'p1', 9)
    await settled()
    const priced = pricedAs(emptyCart('cart-1234'))
    const error = { code: 'out_of_stock', message: 'Only 3 left', source: 'validation' }
    waiting.shift()!.give({ ...priced, state: { ...priced.state, errors: [error] } })
    await asked
    expect(pricer.cart().lines).to.have.length(1)
  })

  it('a cart that the server refuses goes back to what it was', async () => {
    const { calls, waiting, answer, pricer } = begin()
    void calls.setQuantity('v1', 'p1', 2)
    await settled()
    await answer()
    const asked = calls.updateState({ coupon_codes: ['x'.repeat(300)] })
    await settled()
    waiting.shift()!.give({ ok: false, error: { code: 'bad_request', message: 'cart.coupon_codes is too long' } })
    const { errors, totals } = await asked
    expect(errors.map(({ code }) => code)).to.deep.equal(['bad_request'])
    expect(totals.total).to.equal(2000)
    expect(pricer.cart().coupon_codes).to.deep.equal([])
  })

  it('a failure of the network keeps the cart, shows the last state, and passes with the next pricing', async () => {
    const { calls, waiting, answer, pricer } = begin()
    const asked = calls.setQuantity('v1', 'p1', 3)
    await settled()
    waiting.shift()!.give({ ok: false, error: { code: 'unreachable', message: 'No answer' } })
    expect((await asked).errors).to.deep.equal([{ code: 'unreachable', message: 'No answer', source: 'sdk' }])
    expect(pricer.isStale()).to.equal(true)
    const again = calls.setShipping(null)
    await settled()
    await answer()
    const { errors, totals } = await again
    expect([errors, totals.total]).to.deep.equal([[], 3000])
  })

  it('an answer that is none is a failure like any other', async () => {
    const { calls, waiting } = begin()
    const asked = calls.setQuantity('v1', 'p1', 3)
    await settled()
    waiting.shift()!.give({ ok: true })
    expect((await asked).errors.map(({ code }) => code)).to.deep.equal(['unreadable'])
  })

  it('updateState changes only what it is given, and none of its mistakes rejects', async () => {
    const { calls, pricer, answer } = begin()
    void calls.setQuantity('v1', 'p1', 1)
    void calls.updateState({ coupon_codes: ['TEN'] })
    await settled()
    await answer()
    expect(pricer.cart()).to.deep.include({ coupon_codes: ['TEN'] })
    for (const wrong of [undefined, null, 7, { coupon_codes: 'TEN' }, { shipping_address: 'x' }] as unknown[]) {
      const { errors } = await calls.updateState(wrong as object)
      expect(errors.map(({ code }) => code)).to.deep.equal(['invalid_state'])
    }
    const option: unknown = 7
    expect((await calls.setShipping(option as string)).errors[0]?.code).to.equal('invalid_option')
  })

  it('hands out copies of the state', async () => {
    const { calls, store, answer } = begin()
    void calls.setQuantity('v1', 'p1', 1)
    await settled()
    await answer()
    const state = await calls.currentState()
    state.line_items[0]!.quantity = 7
    expect(store.state().line_items[0]?.quantity).to.equal(1)
    expect(withQuantity('v1', 'p1', 1)(emptyCart('c')).lines).to.have.length(1)
  })
})

describe('errors of a checkout', () => {
  it('7: says nothing any more when the page token has changed', () => {
    const { core, states } = fakeCore()
    const controller = new AbortController()
    const store = createStore({ ...core, signal: controller.signal })
    controller.abort()
    store.commit(pricedAs(emptyCart('cart-1234')))
    expect(states()).to.deep.equal([])
  })

  it('what shows the state may throw, and the cart goes on', () => {
    const { core, states } = fakeCore()
    const store = createStore(core)
    store.observe(() => {
      throw new Error('gateway')
    })
    store.commit(pricedAs(emptyCart('cart-1234')))
    expect(states()).to.have.length(1)
  })

  it('an empty cart is no error for onError until somebody tries to pay', () => {
    const { core, errors } = fakeCore()
    const store = createStore(core)
    const empty = pricedAs(emptyCart('cart-1234'))
    const error = { code: 'no_products', message: 'The cart is empty', source: 'validation' } as const
    store.commit({ ...empty, state: { ...empty.state, errors: [error] } })
    expect(errors()).to.deep.equal([])
    store.publish()
    expect(errors()).to.deep.equal([[error]])
  })

  it('64: what was refused stays in the state over later pricings', () => {
    const { core } = fakeCore()
    const store = createStore(core)
    store.report('payment', [{ code: 'declined', message: 'Declined', source: 'gateway' }])
    store.commit(pricedAs(emptyCart('cart-1234')))
    expect(store.state().errors.map(({ code }) => code)).to.deep.equal(['declined'])
    store.report('payment', [])
    expect(store.state().errors).to.deep.equal([])
  })
})
