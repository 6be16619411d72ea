import { type Address, type Line, type Product, stateOf } from './fake-prices.ts'

/** What the checkout sends, as far as it is looked at here. */
export interface Body {
  readonly cart?: {
    readonly id: string
    readonly lines: readonly Line[]
    readonly coupon_codes: readonly string[]
    readonly shipping_address: Address | null
    readonly billing_address: Address | null
    readonly shipping_option_id: string | null
    readonly email?: string
  }
  readonly cart_id?: string
  readonly shown?: { readonly version: string; readonly total: number }
  readonly payment?: { readonly token: string } | null
  readonly attempt?: number
  readonly result?: 'approved' | 'refused'
  readonly variant_id?: string
  readonly price_id?: string
  readonly shipping_address?: Address
  readonly contact?: { readonly email: string }
}

type Answer = Readonly<Record<string, unknown>>

const REDIRECT = '/next/thank-you'
const PRODUCTS: readonly (readonly [key: string, Product])[] = [
  ['v_mug|p_mug', { name: 'Mug', amount: 2500, physical: true }],
  ['v_book|p_book', { name: 'E-book', amount: 1000, physical: false }],
]

const refuse = (code: string, message: string, more: Answer = {}): Answer => ({
  ok: false,
  error: { code, message },
  ...more,
})

/** How a charge of a token ends: the last digits of the well-known cards say it. */
const answerFor = (token: string | null): Answer => {
  const declined = { code: 'declined', message: 'The card was declined. Try another card', source: 'gateway' }
  if (token?.endsWith('0002')) return { ok: true, status: 'refused', errors: [declined] }
  if (token === 'sim_4000002500003155') return { ok: true, status: 'action', action: { simulated: true } }
  if (token === 'pm_3155') return { ok: true, status: 'action', action: { client_secret: 'pi_1_secret_2' } }
  if (token === 'token_3155') return { ok: true, status: 'action', action: { url: '/bank' } }
  return { ok: true, status: 'paid', redirect: REDIRECT }
}

const priceOffer = (
  products: ReadonlyMap<string, Product>,
  { key, hasAddress }: { readonly key: string; readonly hasAddress: boolean },
  { variant_id, price_id, shipping_address }: Body,
) => {
  const [variant = '', price = ''] = key.split('|')
  const lines = [{ variant_id: variant_id ?? variant, price_id: price_id ?? price, quantity: 1 }]
  const address = shipping_address ?? (hasAddress ? { country: 'DE' } : null)
  const { state, ...priced } = stateOf(products, { lines, codes: [], address, optionId: null })
  const address_required = state.shipping.address_required && !hasAddress
  return { ...priced, state: { ...state, shipping: { ...state.shipping, address_required } } }
}

/** Answers of the SDK's host, as docs/sdk.md has them. Everything is in memory, and what was asked is kept. */
export const createFakeShop = () => {
  const products = new Map(PRODUCTS)
  const charges: { readonly total: number; readonly token: string | null }[] = []
  const requests: { readonly path: string; readonly body: Body }[] = []
  const standing = new Map<string, Answer>()
  /** What the shop does otherwise than usual, by path: an answer instead of its own, or a wait before it. */
  const instead = new Map<string, (body: Body) => Answer | undefined | Promise<Answer | undefined>>()
  const offer = { isOpen: true, key: 'v_mug|p_mug', hasAddress: true }

  const priceCart = ({ cart }: Body) =>
    stateOf(products, {
      lines: cart?.lines ?? [],
      codes: cart?.coupon_codes ?? [],
      address: cart?.shipping_address ?? null,
      optionId: cart?.shipping_option_id ?? null,
    })
  const charge = (id: string, total: number, token: string | null): Answer => {
    const answer = answerFor(token)
    if (answer.status === 'paid') charges.push({ total, token })
    standing.set(id, answer)
    return answer
  }
  const sell = (id: string, priced: ReturnType<typeof stateOf>, { shown, payment }: Body): Answer => {
    const { state, version } = priced
    if (shown?.version !== version || shown.total !== state.totals.total)
      return refuse('totals_changed', 'The total has changed', { state, version })
    charge(id, state.totals.total, payment?.token ?? null)
    return { ok: true, status: 'pending' }
  }
  const calls: Readonly<Record<string, (body: Body) => Answer>> = {
    '/checkout/state': (body) => ({ ok: true, ...priceCart(body) }),
    '/checkout/pay': (body) => sell(body.cart?.id ?? '', priceCart(body), body),
    '/checkout/status': ({ cart_id = '' }) => standing.get(cart_id) ?? { ok: true, status: 'none' },
    '/checkout/confirm': ({ cart_id = '', result }) => {
      const { total = 0 } = requests.findLast(({ body }) => body.shown)?.body.shown ?? {}
      return charge(cart_id, total, result === 'approved' ? 'confirmed' : 'refused_0002')
    },
    '/offer': (body) =>
      offer.isOpen
        ? { ok: true, status: 'open', ...priceOffer(products, offer, body) }
        : { ok: true, status: 'unavailable' },
    '/offer/accept': (body) => {
      if (!offer.isOpen) return { ok: true, status: 'unavailable' }
      if (priceOffer(products, offer, body).state.shipping.address_required && !body.shipping_address)
        return refuse('shipping_address_required', 'Please fill in the shipping address')
      return sell(body.cart_id ?? '', priceOffer(products, offer, body), body)
    },
    '/offer/decline': () => ({ ok: true, redirect: REDIRECT }),
  }
  return {
    products,
    charges,
    requests,
    standing,
    instead,
    offer,
    refuse,
    price: priceCart,
    asked: (path: string) => requests.filter((request) => request.path === path).map(({ body }) => body),
    async answer(path: string, body: Body): Promise<Answer> {
      requests.push({ path, body })
      const other = await instead.get(path)?.(body)
      return other ?? calls[path]?.(body) ?? refuse('bad_request', `No such call: ${path}`)
    },
  }
}

export type FakeShop = ReturnType<typeof createFakeShop>
