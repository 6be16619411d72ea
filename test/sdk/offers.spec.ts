import { expect } from 'chai'
import { emptyCart, withQuantity } from '../../sdk/checkout/cart.ts'
import type { FollowDeps, Outcome } from '../../sdk/checkout/follow.ts'
import { createPending } from '../../sdk/checkout/pending.ts'
import { createPricer, type Pricer } from '../../sdk/checkout/pricer.ts'
import { createStore } from '../../sdk/checkout/store.ts'
import type { Core } from '../../sdk/checkout-port.ts'
import { createOfferPage } from '../../sdk/offers/offer-page.ts'
import { fakeCore, settled } from './support/core.ts'
import { pricedAs } from './support/priced.ts'

type Answers = Readonly<Record<string, readonly object[]>>

const open = (amount = 1, more: object = {}) => ({
  ...pricedAs(withQuantity('v1', 'p1', amount)(emptyCart('cart-1234'))),
  status: 'open',
  ...more,
})
const PAID = { ok: true, status: 'paid', redirect: '/end' }
const UNAVAILABLE = { ok: true, status: 'unavailable' }
const BUTTON = { getAttribute: () => 'v1|p1' } as unknown as HTMLElement

const begin = async (answers: Answers, on: { isComplete?: boolean; decline?: boolean } = {}) => {
  const fake = fakeCore()
  const store = createStore(fake.core)
  const sent: { path: string; body: Record<string, unknown> }[] = []
  const warnings: string[] = []
  const left = new Map(Object.entries(answers).map(([path, list]) => [path, [...list]]))
  const call = async (path: string, body: object) => {
    sent.push({ path, body: { ...body } })
    const list = left.get(path) ?? []
    return list.length > 1 ? list.shift() : list[0]
  }
  const core = {
    ...fake.core,
    call,
    init: { offer: true },
    host: { window: globalThis },
    elements: (name: string) =>
      name === 'oto-accept' || (name === 'oto-decline' && on.decline !== false) ? [BUTTON] : [],
    warn: (text: string) => void warnings.push(text),
  } as unknown as Core
  const following: FollowDeps = {
    ask: () => call('/checkout/status', {}) as never,
    confirm: () => call('/checkout/confirm', {}) as never,
    authenticate: async () => 'approved',
    wait: async () => undefined,
    checking: () => undefined,
    signal: new AbortController().signal,
  }
  const pricer: Pricer = createPricer(emptyCart('cart-1234'), {
    store,
    pending: createPending(fake.core),
    price: async (cart) => (await page.load()).price(cart),
    soon: settled,
  })
  const addresses = { flush: () => undefined, report: () => on.isComplete !== false }
  const page = createOfferPage({ core, store, pricer, addresses, following, beginning: () => undefined })
  page.scan()
  await pricer.idle()
  const offers = await page.load()
  /** Presses the button. */
  const accept = (button = BUTTON) => offers.accept(button, store.shown())
  return { ...fake, store, pricer, page, offers, accept, sent, warnings, paths: () => sent.map(({ path }) => path) }
}

const codesOf = (outcome: Outcome) => (outcome.end === 'refused' ? outcome.errors.map(({ code }) => code) : outcome)

describe('a one-click offer', () => {
  it('is priced on load, for what the button names, without setQuantity', async () => {
    const { store, sent } = await begin({ '/offer': [open()] })
    expect(store.state().line_items.map(({ variant_id }) => variant_id)).to.deep.equal(['v1'])
    expect(sent).to.deep.equal([{ path: '/offer', body: { cart_id: 'cart-1234', variant_id: 'v1', price_id: 'p1' } }])
  })

  it('accepted, it charges what was shown and leads on', async () => {
    const { accept, sent } = await begin({ '/offer': [open()], '/offer/accept': [PAID] })
    expect(await accept()).to.deep.equal({ end: 'left', redirect: '/end' })
    expect(sent.at(-1)?.body).to.deep.equal({
      cart_id: 'cart-1234',
      variant_id: 'v1',
      price_id: 'p1',
      shown: { version: 'v1000', total: 1000 },
    })
  })

  it('is unavailable on load without a checkout before it, and accepting asks for nothing', async () => {
    const { accept, outcomes, paths } = await begin({ '/offer': [UNAVAILABLE] })
    expect(outcomes()).to.deep.equal([
      { status: 'unavailable', message: 'This offer is not available.', recoverable: false },
    ])
    expect(await accept()).to.deep.equal({ end: 'abandoned' })
    expect(paths()).to.deep.equal(['/offer'])
  })

  it('65: accepted again where it was used, it is unavailable', async () => {
    const { accept, outcomes } = await begin({ '/offer': [open()], '/offer/accept': [UNAVAILABLE] })
    expect(await accept()).to.deep.equal({ end: 'abandoned' })
    expect(outcomes().map(({ status }) => status)).to.deep.equal(['unavailable'])
  })

  it('66: an answer that is lost is followed, not repeated', async () => {
    const lost = { ok: false, error: { code: 'unreachable', message: 'No answer' } }
    const pending = { ok: true, status: 'pending' }
    const { accept, paths } = await begin({
      '/offer': [open()],
      '/offer/accept': [lost],
      '/checkout/status': [pending, PAID],
    })
    expect((await accept()).end).to.equal('left')
    expect(paths().filter((path) => path === '/offer/accept')).to.have.length(1)
  })

  it('67: a refusal is failed and recoverable', async () => {
    const errors = [{ code: 'no_method', message: 'No card is saved', source: 'gateway' }]
    const { accept, page, outcomes } = await begin({
      '/offer': [open()],
      '/offer/accept': [{ ok: true, status: 'refused', errors }],
    })
    const outcome = await accept()
    expect(codesOf(outcome)).to.deep.equal(['no_method'])
    if (outcome.end === 'refused') page.refuse(outcome.errors)
    expect(outcomes()).to.deep.equal([{ status: 'failed', message: 'No card is saved', recoverable: true }])
  })

  it('67: the form that is shown then pays for the same offer with a card', async () => {
    const { offers, sent, pricer } = await begin({ '/offer': [open()], '/offer/accept': [PAID] })
    await pricer.change(withQuantity('v1', 'p1', 1))
    const answer = await offers.pay({
      cart: pricer.cart(),
      shown: { version: 'v1000', total: 1000 },
      payment: { token: 'card' },
      contact: { email: 'a@b.test' },
      custom: [],
      attempt: 1,
      again: false,
    })
    expect(answer).to.deep.equal(PAID)
    expect(sent.at(-1)?.body).to.deep.include({ variant_id: 'v1', price_id: 'p1', payment: { token: 'card' } })
  })

  it('69: a price that has changed is not charged', async () => {
    const { accept, pricer, store } = await begin({
      '/offer': [open(), open(2)],
      '/offer/accept': [{ ...open(3), ok: false, error: { code: 'totals_changed', message: 'Changed' } }, PAID],
    })
    const repricing = pricer.change((cart) => cart)
    expect(codesOf(await accept())).to.deep.equal(['totals_changed'])
    await repricing
    expect(codesOf(await accept())).to.deep.equal(['totals_changed'])
    expect(store.shown()?.total).to.equal(3000)
  })

  it('another price than the one priced is priced first', async () => {
    const { accept, sent } = await begin({ '/offer': [open()], '/offer/accept': [PAID] })
    await accept({ getAttribute: () => 'v2|p2' } as unknown as HTMLElement)
    expect(sent[1]).to.deep.include({ path: '/offer' })
    expect(sent[1]?.body).to.deep.include({ variant_id: 'v2', price_id: 'p2' })
  })

  it('needs the address form to be filled in, where it is shown', async () => {
    const { accept, paths } = await begin({ '/offer': [open()] }, { isComplete: false })
    expect(codesOf(await accept())).to.deep.equal(['shipping_address_required'])
    expect(paths()).to.deep.equal(['/offer'])
  })

  it('a button without a price is an error, not a charge', async () => {
    const { accept, paths } = await begin({ '/offer': [open()] })
    expect(codesOf(await accept({ getAttribute: () => null } as unknown as HTMLElement))).to.deep.equal(['no_price'])
    expect(paths()).to.deep.equal(['/offer'])
  })

  it('declined, it leads on', async () => {
    const { offers } = await begin({ '/offer': [open()], '/offer/decline': [{ ok: true, redirect: '/end' }] })
    expect(await offers.decline()).to.deep.equal({ end: 'left', redirect: '/end' })
  })
})
