import type { Target } from '../load.ts'
import type { Ground, Probe, Reading, Service } from '../probe.ts'
import { inTurn } from '../rounds.ts'
import { shell, warm } from '../volley.ts'

const ORDERS = 200
const PRODUCTS = 20
const PAGE = 20
const TOGETHER = 20
const ANEW = { MILLRACE_ANSWERS_MIB: '0' }

const RATIO = 'orders to contacts, made anew'

interface Built {
  readonly id: number
  readonly default_variant_id: number
}

interface Line {
  readonly variant_id: number
  readonly products_price_id: number
  readonly quantity: number
}

const callOf = ({ ready: { origin, api_key: key } }: Service) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return async (path: string, root: string, fields: object): Promise<Built> => {
    const body = JSON.stringify({ [root]: fields })
    const response = await fetch(`${origin}/api/v2${path}`, { method: 'POST', headers, body })
    const answer = (await response.json()) as Built
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${JSON.stringify(answer)}`)
    return answer
  }
}

/** Orders of two products each, paid, by contacts of their own, all with tags. */
const fill = async (service: Service, tell: Ground['tell']): Promise<void> => {
  tell(`making ${ORDERS} orders, each with an invoice and a contact`)
  const call = callOf(service)
  const workspace = `/workspaces/${service.ready.workspace_id}`
  const named = (path: string, root: string, name: string) => call(`${workspace}${path}`, root, { name })
  const lines: Line[] = []
  for (let n = 0; n < PRODUCTS; n++) {
    const { default_variant_id: variant_id } = await named('/products', 'product', `Product ${n}`)
    const price = await call(`/products/variants/${variant_id}/prices`, 'products_price', { amount: '12.50' })
    lines.push({ variant_id, products_price_id: price.id, quantity: 2 })
  }
  const [buyer, seen] = [
    await named('/contacts/tags', 'contacts_tag', 'Buyer'),
    await named('/orders/tags', 'orders_tag', 'Seen'),
  ]
  const order = async (n: number): Promise<void> => {
    const fields = { email_address: `buyer-${n}@example.com`, first_name: 'Ada', tag_ids: [buyer.id] }
    const contact = await call(`${workspace}/contacts`, 'contact', fields)
    const { id } = await call(`${workspace}/orders`, 'order', {
      ...{ order_type: 'one-time-order', live_mode: true, contact_id: contact.id },
      line_items_attributes: [lines[n % PRODUCTS], lines[(n + 1) % PRODUCTS]],
    })
    await call(`/orders/${id}/applied_tags`, 'orders_applied_tag', { tag_id: seen.id })
    const bill = { external_id: `bill-${n}`, status: 'paid', paid_at: new Date().toISOString() }
    await call(`/orders/${id}/invoices`, 'orders_invoice', bill)
  }
  for (let from = 0; from < ORDERS; from += TOGETHER)
    await Promise.all(Array.from({ length: TOGETHER }, (_, n) => order(from + n)))
}

/** All pages of a list of a workspace, in turn. */
const pagesIn = async ({ ready }: Service, key: string, list: string): Promise<Target> => {
  const headers = { authorization: `Bearer ${key}` }
  const path = `/api/v2/workspaces/${ready.workspace_id}/${list}`
  const shots: { readonly method: 'GET'; readonly path: string }[] = []
  for (let next = path; ; ) {
    const response = await fetch(`${ready.origin}${next}`, { headers })
    if (!response.ok) throw new Error(`GET ${next}: ${response.status}`)
    const page = (await response.json()) as readonly Built[]
    if (page.length < PAGE) return { url: ready.origin, headers, shots }
    shots.push({ method: 'GET', path: next })
    next = `${path}?after=${page.at(-1)!.id}`
  }
}

/** (o) What a page of 20 orders costs with all that they embed, beside one of contacts. */
export const listOfOrders: Probe = {
  benchmark: 'o',
  title: () =>
    `a page of ${PAGE} orders with contact, tags, lines, products and prices, beside one of contacts, 1 connection`,
  async prepare({ effort, start, scratch, tell }) {
    const directory = await scratch('orders')
    const first = await start(directory, { demo: true })
    await fill(first, tell)
    const key = first.ready.api_key!
    await first.stop()
    const anew = await start(directory, { demo: true, env: ANEW })
    const targets = { contacts: await pagesIn(anew, key, 'contacts'), orders: await pagesIn(anew, key, 'orders') }
    for (const target of Object.values(targets)) await warm(target, 1)
    const shot = (target: Target) => async () => [await shell(anew, target, 1, effort.seconds)]
    return {
      async read(round) {
        const [contacts, orders] = await inTurn(round, [shot(targets.contacts), shot(targets.orders)])
        const readings: Reading[] = []
        for (const [list, { p50, p99, cpu }] of [
          ['contacts', contacts!],
          ['orders', orders!],
        ] as const) {
          readings.push({ label: `${list}, p50`, unit: 'ms', value: p50 })
          readings.push({ label: `${list}, p99`, unit: 'ms', value: p99 })
          readings.push({ label: `${list}, CPU`, unit: 'µs/request', value: cpu })
        }
        return [...readings, { label: RATIO, unit: '×', value: orders!.p50 / contacts!.p50 }]
      },
    }
  },
  wishes: [{ says: 'p50 of a page of orders, made anew, to one of contacts', of: RATIO, atMost: 3 }],
}
