/** Answers of the SDK's host, as the protocol of docs/sdk.md has them. Everything is in memory, and what was asked is kept. */

interface Line {
  readonly variant_id: string
  readonly price_id: string
  readonly quantity: number
}

interface Address {
  readonly country?: string
  readonly region?: string
  readonly postal_code?: string
}

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
  readonly result?: 'done' | 'cancelled'
  readonly variant_id?: string
  readonly price_id?: string
  readonly shipping_address?: Address
  readonly contact?: { readonly email: string }
}

interface Product {
  readonly name: string
  readonly amount: number
  readonly physical: boolean
}

type Answer = Readonly<Record<string, unknown>>

const REDIRECT = '/next/thank-you'
const RATES: Readonly<Record<string, readonly (readonly [id: string, amount: number])[]>> = {
  DE: [
    ['standard', 500],
    ['express', 900],
  ],
  US: [['overseas', 2000]],
}

export const createFakeShop = () => {
  const products = new Map<string, Product>([
    ['v_mug|p_mug', { name: 'Mug', amount: 2500, physical: true }],
    ['v_book|p_book', { name: 'E-book', amount: 1000, physical: false }],
  ])
  const charges: { readonly total: number; readonly token: string | null }[] = []
  const requests: { readonly path: string; readonly body: Body }[] = []
  const standing = new Map<string, Answer>()
  /** What the shop does otherwise than usual, by path: an answer instead of its own, or a wait before it. */
  const instead = new Map<string, (body: Body) => Answer | undefined | Promise<Answer | undefined>>()
  const offer = { isOpen: true, key: 'v_mug|p_mug', hasAddress: true }

  const refuse = (code: string, message: string, more: Answer = {}) => ({
    ok: false,
    error: { code, message },
    ...more,
  })
  const errorOf = (code: string, message: string, field?: string) => ({ code, message, field, source: 'validation' })

  const stateOf = (
    lines: readonly Line[],
    codes: readonly string[],
    address: Address | null,
    optionId: string | null,
  ) => {
    const errors: object[] = lines.length === 0 ? [errorOf('no_products', 'The cart is empty')] : []
    const items = lines.flatMap(({ variant_id, price_id, quantity }) => {
      const product = products.get(`${variant_id}|${price_id}`)
      if (!product) errors.push(errorOf('not_sold', 'The price is not one that this page sells', 'line_items'))
      const { name = '', amount = 0 } = product ?? {}
      return product
        ? [{ variant_id, price_id, quantity, name, unit_amount: amount, line_amount: amount * quantity }]
        : []
    })
    const address_required = lines.some((line) => products.get(`${line.variant_id}|${line.price_id}`)?.physical)
    const rates = address_required ? (RATES[address?.country ?? ''] ?? []) : []
    const chosen = rates.find(([id]) => id === optionId) ?? rates[0]
    const subtotal = items.reduce((sum, { line_amount }) => sum + line_amount, 0)
    const percent = codes.includes('FREE') ? 100 : codes.includes('TEN') ? 10 : 0
    const shipping = codes.includes('FREE') ? 0 : (chosen?.[1] ?? 0)
    const discount = Math.round((subtotal * percent) / 100)
    if (codes.includes('WRONG')) errors.push(errorOf('discount', 'There is no such code', 'coupon_codes'))
    const total = subtotal - discount + shipping
    return {
      state: {
        line_items: items,
        totals: { subtotal, discount, tax: 0, shipping, total, currency: items.length > 0 ? 'USD' : null },
        shipping: {
          address_required,
          options: rates.map(([id, amount]) => ({ id, name: id, amount })),
          selected_option_id: chosen?.[0] ?? null,
        },
        errors,
      },
      version: JSON.stringify([items, total, chosen?.[0]]),
      payment_required: total > 0,
    }
  }
  const priceCart = ({ cart }: Body) =>
    stateOf(
      cart?.lines ?? [],
      cart?.coupon_codes ?? [],
      cart?.shipping_address ?? null,
      cart?.shipping_option_id ?? null,
    )
  const priceOffer = ({ variant_id, price_id, shipping_address }: Body) => {
    const [variant = '', price = ''] = offer.key.split('|')
    const priced = stateOf(
      [{ variant_id: variant_id ?? variant, price_id: price_id ?? price, quantity: 1 }],
      [],
      shipping_address ?? (offer.hasAddress ? { country: 'DE' } : null),
      null,
    )
    const address_required = priced.state.shipping.address_required && !offer.hasAddress
    return { ...priced, state: { ...priced.state, shipping: { ...priced.state.shipping, address_required } } }
  }
  const charge = (id: string, total: number, token: string | null): Answer => {
    const answer = chargeOf(total, token)
    standing.set(id, answer)
    return answer
  }
  const chargeOf = (total: number, token: string | null): Answer => {
    if (token === 'declined' || token?.endsWith('0002'))
      return {
        ok: true,
        status: 'refused',
        errors: [{ code: 'declined', message: 'The card was declined. Try another card', source: 'gateway' }],
      }
    if (token === 'authentication_required') return { ok: true, status: 'action', action: { type: 'simulator' } }
    if (token === 'pm_3155')
      return { ok: true, status: 'action', action: { type: 'stripe', client_secret: 'seti_secret' } }
    if (token === 'token_3155') return { ok: true, status: 'action', action: { type: 'redirect', url: '/bank' } }
    charges.push({ total, token })
    return { ok: true, status: 'paid', redirect: REDIRECT }
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
      const isDone = result === 'done' && standing.get(cart_id)?.status === 'action'
      return charge(
        cart_id,
        requests.findLast(({ body }) => body.shown)?.body.shown?.total ?? 0,
        isDone ? 'ok' : 'declined',
      )
    },
    '/offer': (body) =>
      offer.isOpen ? { ok: true, status: 'open', ...priceOffer(body) } : { ok: true, status: 'unavailable' },
    '/offer/accept': (body) => {
      if (!offer.isOpen) return { ok: true, status: 'unavailable' }
      if (priceOffer(body).state.shipping.address_required && !body.shipping_address)
        return refuse('shipping_address_required', 'Please fill in the shipping address')
      return sell(body.cart_id ?? '', priceOffer(body), body)
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
    asked: (path: string) => requests.filter((request) => request.path === path).map(({ body }) => body),
    async answer(path: string, body: Body): Promise<Answer> {
      requests.push({ path, body })
      const other = await instead.get(path)?.(body)
      return other ?? calls[path]?.(body) ?? refuse('bad_request', `No such call: ${path}`)
    },
  }
}

export type FakeShop = ReturnType<typeof createFakeShop>
