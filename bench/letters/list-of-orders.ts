import { cp } from 'node:fs/promises'
import type { Target } from '../load.ts'
import type { Probe, ProbeContext, Reading, Service } from '../probe.ts'
import { measureLoad, warm } from '../request-load.ts'
import { inTurn } from '../rounds.ts'

const ORDERS = 200
const PRODUCTS = 20
const PAGE = 20
const TOGETHER = 20
const ANEW = { MILLRACE_ANSWERS_MIB: '0' }

/** By default pages are cached until something in them changes. The second way builds each page anew. */
const WAYS = ['kept', 'made anew'] as const
type Way = (typeof WAYS)[number]

const ratioLabel = (way: Way): string => `orders to contacts, ${way}`

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

/** Creates paid orders of two products each, with tags, each for a different contact. */
const fill = async (service: Service, tell: ProbeContext['tell']): Promise<void> => {
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

/** Reads all pages of a workspace's list in turn. */
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

/** (o) The cost of a page of 20 orders with their embedded records, compared with a page of contacts. */
export const listOfOrders: Probe = {
  benchmark: 'o',
  title: () =>
    `a page of ${PAGE} orders with contact, tags, lines, products and prices, beside one of contacts, 1 connection`,
  async prepare({ effort, start, scratch, tell }) {
    const [kept, copy] = [await scratch('orders'), await scratch('orders-anew')]
    const first = await start(kept, { demo: true })
    await fill(first, tell)
    const key = first.ready.api_key!
    await first.stop()
    await cp(kept, copy, { recursive: true, filter: (from) => !from.endsWith('.sock') })
    const services: Readonly<Record<Way, Service>> = {
      kept: await start(kept, { demo: true }),
      'made anew': await start(copy, { demo: true, env: ANEW }),
    }
    const shots: { readonly label: string; readonly service: Service; readonly target: Target }[] = []
    for (const way of WAYS) {
      const service = services[way]
      for (const list of ['contacts', 'orders'])
        shots.push({ label: `${list}, ${way}`, service, target: await pagesIn(service, key, list) })
    }
    for (const { target } of shots) await warm(target, 1)
    return {
      async read(round) {
        const steps = shots.map(({ label, service, target }) => async () => [
          [label, await measureLoad(service, target, 1, effort.seconds)] as const,
        ])
        const found = new Map(await inTurn(round, steps))
        const readings = shots.flatMap(({ label }): readonly Reading[] => {
          const { p50, p99, cpu } = found.get(label)!
          return [
            { label: `${label}, p50`, unit: 'ms', value: p50 },
            { label: `${label}, p99`, unit: 'ms', value: p99 },
            { label: `${label}, CPU`, unit: 'µs/request', value: cpu },
          ]
        })
        const ratios = WAYS.map((way) => {
          const [contacts, orders] = [found.get(`contacts, ${way}`)!, found.get(`orders, ${way}`)!]
          return { label: ratioLabel(way), unit: '×', value: orders.p50 / contacts.p50 }
        })
        return [...readings, ...ratios]
      },
    }
  },
  targets: WAYS.map((way) => ({
    says: `p50 of a page of orders to one of contacts, ${way}`,
    of: ratioLabel(way),
    atMost: 3,
  })),
}
