import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ok } from '../../support/client.ts'
import { type SdkPage, sdkFunnel } from '../../support/sdk-pages.ts'
import type { Tenant, TestService } from '../../support/service.ts'
import { CHECKOUT, OFFER } from './markup.ts'

/** Chooses the first price that the page sells, as a page's own script does. */
const CHOOSE = `<script>addEventListener('DOMContentLoaded', async () => {
  const { products: [{ variants: [{ id, prices: [price] }] }] } = await CfSdk.products()
  CfSdk.checkout.setQuantity(id, price.id, 1)
})</script>`

const THANKS = '<!doctype html><html lang="en"><title>Thanks</title><h1>Thanks</h1>'

/** Puts a product onto a page. @returns the id of its price, and both as the value of an `oto-accept` button */
const sell = async ({ background }: TestService, { api, workspaceId }: Tenant, page: SdkPage, amount: string) => {
  const made = ok(await api.post(`/workspaces/${workspaceId}/products`, { product: { name: 'Mug' } }))
  const variant = made.default_variant_id
  ok(await api.put(`/products/variants/${variant}`, { products_variant: { product_type: 'physical' } }))
  const { id } = ok(await api.post(`/products/variants/${variant}/prices`, { products_price: { amount } }))
  ok(await api.put(`/pages/${page.id}`, { page: { show_page_step: { product_ids: [made.id] } } }))
  const { publicIds } = background.stores
  const value = `${publicIds.of('products/variant').encode(variant)}|${publicIds.of('products/price').encode(id)}`
  return { variantId: variant, priceId: id, value }
}

/** A funnel that an author hosts on two domains: a mug at 12.50, an offer at 7.00, and thanks. */
export const openSellingSite = async (service: TestService, tenant: Tenant, checkout: object) => {
  const bodies = new Map<string, string>()
  const author = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(bodies.get(request.url ?? '') ?? THANKS)
  }).listen(0, '127.0.0.1')
  await once(author, 'listening')
  const { port } = author.address() as AddressInfo
  const urls = [`http://shop.test:${port}/buy`, `http://offers.test:${port}/more`, `http://shop.test:${port}/thanks`]
  const { id, pages } = await sdkFunnel(tenant, urls, false)
  const [buy, more] = [pages[0]!, pages[1]!]
  ok(await tenant.api.put(`/funnels/${id}/checkout`, { checkout: { enabled: true, ...checkout } }))
  const { variantId, priceId } = await sell(service, tenant, buy, '12.50')
  const { value } = await sell(service, tenant, more, '7.00')
  const html = ({ token }: SdkPage, body: string) => `<!doctype html><html lang="en"><head><title>Page</title>
    <meta name="cf-page-token" content="${token}"><script defer src="${service.sdkUrl}/sdk.js"></script></head>
    <body>${body}</body></html>`
  bodies.set('/buy', html(buy, CHECKOUT + CHOOSE))
  bodies.set('/more', html(more, OFFER.replace('v_mug|p_mug', value)))
  return {
    ...{ buy, more, variantId, priceId },
    orders: async (): Promise<{ readonly total_amount: string; readonly shipping_address_city: string }[]> =>
      ok(await tenant.api.get(`/workspaces/${tenant.workspaceId}/orders`)),
    close() {
      author.closeAllConnections()
      author.close()
    },
  }
}

export type SellingSite = Awaited<ReturnType<typeof openSellingSite>>
