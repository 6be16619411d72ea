import { setTimeout as sleep } from 'node:timers/promises'
import { ok } from './client.ts'
import { type Answer, callOf, random, type SdkFunnel, type SdkPage, sdkFunnel, visit } from './sdk-pages.ts'
import type { Tenant, TestService } from './service.ts'

/** Variant and price, as pages name them and as records have them. */
export interface Offered {
  readonly variant_id: string
  readonly price_id: string
  readonly productId: number
  readonly variantId: number
  readonly priceId: number
}

export interface OfferedAs {
  readonly amount: number | string
  readonly physical?: boolean
  readonly bump?: boolean
  readonly price?: object
}

/** A page with what it sells, in the hands of one visitor. */
export interface Buying {
  readonly session: string
  readonly cartId: string
  /** Sends a call with the session. */
  call(path: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Prices a cart. */
  state(lines: readonly object[], more?: object): Promise<Answer>
  /** Prices a cart, and pays it as it was shown. */
  pay(lines: readonly object[], more?: object): Promise<Answer>
  /** Waits until the payment has an outcome that the buyer must know. */
  outcome(): Promise<Answer>
}

/** The token of a test card. */
export const CARDS = {
  good: 'sim_4242424242424242',
  declined: 'sim_4000000000000002',
  asks: 'sim_4000002500003155',
} as const

/** A funnel that sells, in the workspace of a tenant. */
export interface SdkShop {
  readonly tenant: Tenant
  readonly funnel: SdkFunnel
  readonly pages: readonly SdkPage[]
  sells(page: SdkPage, as: OfferedAs): Promise<Offered>
  /** A new visitor of a page. */
  arrives(page: SdkPage, headers?: Readonly<Record<string, string>>): Promise<Buying>
  /** Goes on as the same visitor. */
  as(page: SdkPage, session: string, headers?: Readonly<Record<string, string>>): Buying
  orders(): Promise<{ readonly id: number; readonly [name: string]: unknown }[]>
}

let shops = 0

/** Address of a buyer whom nobody else has. */
export const someone = (): string => `buyer-${random().toLowerCase().replaceAll('_', 'x')}@example.com`

export const line = ({ variant_id, price_id }: Offered, quantity: unknown = 1) => ({ variant_id, price_id, quantity })

const buyingOn = (
  service: TestService,
  page: SdkPage,
  session: string,
  headers: Readonly<Record<string, string>> = {},
): Buying => {
  const cartId = random()
  const send = callOf(service)
  const call: Buying['call'] = (path, body = {}, more = {}) =>
    send(path, page, { session, ...body }, { ...headers, ...more })
  const cartOf = (lines: readonly object[], more: object) => ({ id: cartId, lines, ...more })
  const state: Buying['state'] = (lines, more = {}) => call('/checkout/state', { cart: cartOf(lines, more) })
  return {
    session,
    cartId,
    call,
    state,
    async pay(
      lines,
      { card = CARDS.good, attempt = 1, email = someone(), again, ...more }: Record<string, unknown> = {},
    ) {
      const { body } = await state(lines, { ...more, email })
      return call('/checkout/pay', {
        cart: cartOf(lines, { ...more, email }),
        shown: { version: body.version, total: body.state?.totals.total },
        contact: { email },
        custom: [],
        payment: card === null ? null : { token: card },
        attempt,
        again,
      })
    },
    async outcome() {
      for (;;) {
        const answer = await call('/checkout/status', { cart_id: cartId })
        if (answer.body.status !== 'pending') return answer
        await sleep(10)
      }
    },
  }
}

/** Lets minutes pass by the clock of a test workspace. */
export const passes = async ({ api, workspaceId }: Tenant, minutes: number): Promise<void> => {
  const clock = `/workspaces/${workspaceId}/test_clock`
  const { now } = ok(await api.get(clock))
  ok(await api.post(clock, { to: new Date(Date.parse(now) + minutes * 60_000).toISOString() }))
  while (ok(await api.get(clock)).state === 'advancing') await sleep(10)
}

/** Makes a funnel that sells on pages of its own. */
export const sdkShop = async (
  service: TestService,
  tenant: Tenant,
  steps = 2,
  checkout: object = { enabled: true },
): Promise<SdkShop> => {
  const { api, workspaceId } = tenant
  const shop = ++shops
  const urls = Array.from({ length: steps }, (_, index) => `https://shop${shop}-${index}.example/buy`)
  const funnel = await sdkFunnel(tenant, urls, false)
  ok(await api.put(`/funnels/${funnel.id}/checkout`, { checkout }))
  const idOf = (kind: string, id: number) => service.background.stores.publicIds.of(kind).encode(id)
  const as: SdkShop['as'] = (page, session, headers) => buyingOn(service, page, session, headers)
  return {
    ...{ tenant, funnel, pages: funnel.pages, as },
    async sells(page, { amount, physical = false, bump = false, price = {} }) {
      const product = { name: bump ? 'Lid' : 'Mug' }
      const made = ok(await api.post(`/workspaces/${workspaceId}/products`, { product }))
      const variantId = made.default_variant_id
      if (physical)
        ok(await api.put(`/products/variants/${variantId}`, { products_variant: { product_type: 'physical' } }))
      const products_price = { amount, ...price }
      const { id } = ok(await api.post(`/products/variants/${variantId}/prices`, { products_price }))
      const show_page_step = bump ? { bumps: [{ product_id: made.id }] } : { product_ids: [made.id] }
      ok(await api.put(`/pages/${page.id}`, { page: { show_page_step } }))
      return {
        ...{ productId: made.id, variantId, priceId: id },
        variant_id: idOf('products/variant', variantId),
        price_id: idOf('products/price', id),
      }
    },
    async arrives(page, headers) {
      const { body } = await callOf(service)('/visits', page, visit(), headers)
      return as(page, body.session, headers)
    },
    orders: async () => ok(await api.get(`/workspaces/${workspaceId}/orders`)),
  }
}
