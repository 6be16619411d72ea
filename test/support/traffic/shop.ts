import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiClient, ok } from '../client.ts'
import type { Tenant } from '../service.ts'

const DAY = 24 * 60 * 60 * 1000

// biome-ignore lint/suspicious/noExplicitAny: bodies are read freely by tests
type Body = any

/** A variant and its price, as line items name them. */
export interface OnSale {
  readonly variant_id: number
  readonly products_price_id: number
}

/** Selling in a workspace, and letting time pass in it. */
export interface Shop {
  readonly api: ApiClient
  readonly workspace: string
  readonly contactId: number
  /** Creates a product with one price. */
  sells(price: object): Promise<OnSale>
  /** Creates a product with several prices. */
  sellsAt(...prices: readonly object[]): Promise<readonly OnSale[]>
  /** Starts a checkout of one item. */
  begins(line: OnSale, fields?: object): Promise<Body>
  /** Waits until a checkout has ended. */
  ends(id: number): Promise<Body>
  /** Starts a checkout of one item and waits until it has ended. */
  buys(line: OnSale, fields?: object): Promise<Body>
  order(id: number): Promise<Body>
  invoices(orderId: number): Promise<Body[]>
  transactions(orderId: number): Promise<Body[]>
  /** Advances the test clock of the workspace. */
  passes(days: number): Promise<void>
}

/** Default payment of a checkout. */
export const PAYS = { payment_method_id: 'approved' }

/** A shop in a workspace. Letting time pass needs a workspace with a test clock. */
export const shopOf = async ({ api, workspaceId }: Tenant): Promise<Shop> => {
  const workspace = `/workspaces/${workspaceId}`
  const contact = { email_address: 'buyer.of.shop@example.com', first_name: 'Ada' }
  const contactId = ok(await api.post(`${workspace}/contacts`, { contact })).id
  const begins = async (line: OnSale, fields: object = {}) => {
    const wanted = { contact_id: contactId, live_mode: false, ...PAYS }
    const checkout = { ...wanted, line_items_attributes: [{ ...line, quantity: 1 }], ...fields }
    return ok(await api.post(`${workspace}/checkouts`, { checkout }))
  }
  const sellsAt: Shop['sellsAt'] = async (...prices) => {
    const product = { name: 'Tea' }
    const { default_variant_id: variant_id } = ok(await api.post(`${workspace}/products`, { product }))
    const path = `/products/variants/${variant_id}/prices`
    const made: OnSale[] = []
    for (const products_price of prices)
      made.push({ variant_id, products_price_id: ok(await api.post(path, { products_price })).id })
    return made
  }
  const ends: Shop['ends'] = async (id) => {
    for (;;) {
      const body = ok(await api.get(`/checkouts/${id}`))
      if (body.status === 'completed' || body.status === 'compensated') return body
      await sleep(10)
    }
  }
  return {
    api,
    workspace,
    contactId,
    sells: async (price) => (await sellsAt(price))[0]!,
    sellsAt,
    begins,
    ends,
    buys: async (line, fields) => ends((await begins(line, fields)).id),
    order: async (id) => ok(await api.get(`/orders/${id}`)),
    invoices: async (id) => ok(await api.get(`/orders/${id}/invoices`)),
    transactions: async (id) => ok(await api.get(`/orders/${id}/transactions`)),
    async passes(days) {
      const clock = `${workspace}/test_clock`
      const { now } = ok(await api.get(clock))
      ok(await api.post(clock, { to: new Date(Date.parse(now) + days * DAY).toISOString() }))
      // Advancing by years takes seconds: the pauses between the polls grow.
      for (let pause = 5; ok(await api.get(clock)).state === 'advancing'; pause = Math.min(2 * pause, 200))
        await sleep(pause)
    },
  }
}
