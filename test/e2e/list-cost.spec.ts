import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { byForm } from '../reliability/form.ts'
import { ok } from '../support/client.ts'
import { lookupsOf } from '../support/lookups.ts'
import { describeOn, mongoServers } from '../support/servers/mongo-servers.ts'
import { startTestService, type Tenant, type TestService } from '../support/service.ts'
import { waitUntilSettled } from '../support/settled.ts'

const PAGE = 20
/** Number of measurements. */
const LOOKS = byForm(3, 5)
/** Looks whether there is background work. */
const MOST_LOOKS = 100
/** Looks in a row at which nothing is read. On a busy machine what runs in the background pauses, too. */
const STILL_LOOKS = 4
const SIZES = byForm([4, 12], [5, 20, 50])

/** No answers are cached, so that each request queries the read models. */
const FORGETFUL = { MILLRACE_ANSWERS_MIB: '0' }

// biome-ignore lint/suspicious/noExplicitAny: bodies are read freely by tests
type Made = any

/** Creates orders that share no records: each of two products, for a different contact, all with tags. */
const fill = async ({ api, workspaceId }: Tenant, from: number, to: number): Promise<readonly number[]> => {
  const workspace = `/workspaces/${workspaceId}`
  const make = async (path: string, root: string, fields: object): Promise<Made> =>
    ok(await api.post(path, { [root]: fields }))
  const sold = async (n: number, which: string) => {
    const tag = await make(`${workspace}/products/tags`, 'products_tag', { name: `Shelf ${which} ${n}` })
    const product = { name: `Tea ${which} ${n}`, tag_ids: [tag.id] }
    const { default_variant_id: variant_id } = await make(`${workspace}/products`, 'product', product)
    const price = await make(`/products/variants/${variant_id}/prices`, 'products_price', { amount: '12.50' })
    return { variant_id, products_price_id: price.id, quantity: 2 }
  }
  const buy = async (n: number): Promise<number> => {
    const tag = await make(`${workspace}/contacts/tags`, 'contacts_tag', { name: `Buyer ${n}` })
    const fields = { email_address: `buyer-${n}@example.com`, tag_ids: [tag.id] }
    const contact = await make(`${workspace}/contacts`, 'contact', fields)
    const order = await make(`${workspace}/orders`, 'order', {
      ...{ order_type: 'one-time-order', live_mode: true, contact_id: contact.id },
      line_items_attributes: [await sold(n, 'A'), await sold(n, 'B')],
    })
    const { id: tag_id } = await make(`${workspace}/orders/tags`, 'orders_tag', { name: `Seen ${n}` })
    await make(`/orders/${order.id}/applied_tags`, 'orders_applied_tag', { tag_id })
    return order.id
  }
  const orders: number[] = []
  // Few enough for a slow store to show them in time.
  for (let n = from; n < to; n += 5)
    orders.push(...(await Promise.all(Array.from({ length: Math.min(5, to - n) }, (_, at) => buy(n + at)))))
  return orders
}

const bill = async ({ api }: Tenant, order: number, from: number, to: number): Promise<void> => {
  const issue = async (n: number) => {
    const invoice = { external_id: `bill-${n}`, status: 'paid', paid_at: '2026-01-01T00:00:00Z' }
    ok(await api.post(`/orders/${order}/invoices`, { orders_invoice: invoice }))
  }
  await Promise.all(Array.from({ length: to - from }, (_, n) => issue(from + n)))
}

/** Describes the suite. @param settings settings that name the stores */
const costs = (settings: () => Promise<Record<string, string>>): void => {
  let service: TestService
  let tenant: Tenant
  /** Read model queries for a page of each list, for every number of records. */
  const lookups = new Map<string, (readonly string[])[]>()

  /** Waits until nothing is read in the background for a while. */
  const quiet = async (): Promise<void> => {
    for (let looks = 0, still = 0; looks < MOST_LOOKS && still < STILL_LOOKS; looks++)
      still = (await lookupsOf(service, () => pause(200))).length === 0 ? still + 1 : 0
  }

  /** The fewest queries of some work in several measurements: background work sometimes queries as well. */
  const alone = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
    const looks: (readonly string[])[] = []
    while (looks.length < LOOKS) looks.push([...(await lookupsOf(service, work))].sort())
    return looks.reduce((fewest, look) => (look.length < fewest.length ? look : fewest))
  }

  before(async function () {
    this.timeout(120_000)
    service = await startTestService({ ...FORGETFUL, ...(await settings()) })
    tenant = await service.tenant()
    const workspace = `/workspaces/${tenant.workspaceId}`
    let first: number | undefined
    for (const [at, size] of SIZES.entries()) {
      const before = SIZES[at - 1] ?? 0
      const [made] = await fill(tenant, before, size)
      first ??= made!
      await bill(tenant, first, before, size)
      await waitUntilSettled(service)
      await quiet()
      for (const path of [
        `${workspace}/orders`,
        `/orders/${first}/invoices`,
        `${workspace}/products`,
        `${workspace}/contacts`,
      ]) {
        const found = await alone(async () => {
          expect(ok(await tenant.api.get(path))).to.have.length(
            Math.min(path.endsWith('products') ? 2 * size : size, PAGE),
          )
        })
        const name = path.split('/').at(-1)!
        lookups.set(name, [...(lookups.get(name) ?? []), found])
      }
    }
  })

  for (const list of ['orders', 'invoices', 'products', 'contacts'])
    it(`of ${list} is as many look-ups for ${SIZES.join(', ')} of them`, () => {
      const [few, ...more] = lookups.get(list)!
      for (const many of more) expect(many).to.deep.equal(few)
      expect(few!.length).to.be.greaterThan(3)
    })
}

describe('a page of a list with all that it embeds', () => {
  describe('on SQLite', () => costs(async () => ({})))
  for (const server of mongoServers)
    describeOn(server, ({ url }) =>
      costs(async () => ({ MONGODB_URL: `${(await url()).replace(/\/$/, '')}/cost_${randomUUID().slice(0, 8)}` })),
    )
})
