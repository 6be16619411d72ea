// Makes a funnel whose pages are served elsewhere, over the API, and notes the tokens of the pages in pages.json.
import { writeFile } from 'node:fs/promises'

const { MILLRACE_API = 'http://127.0.0.1:4000/api/v2', MILLRACE_KEY, MILLRACE_WORKSPACE = '1' } = process.env
const {
  MILLRACE_SDK = 'http://127.0.0.1:4002',
  PAGES_URL = 'http://localhost:5010',
  PAGES_ENDING = '.html',
} = process.env
const { PAGES_FILE = new URL('pages.json', import.meta.url) } = process.env
if (!MILLRACE_KEY)
  throw new Error('MILLRACE_KEY is not set: it is the API key that Millrace prints when it starts first')

const ask = async (method, path, body) => {
  const headers = { authorization: `Bearer ${MILLRACE_KEY}`, 'content-type': 'application/json' }
  const response = await fetch(MILLRACE_API + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
const workspace = `/workspaces/${MILLRACE_WORKSPACE}`

const sell = async (name, amount) => {
  const product = await ask('POST', `${workspace}/products`, { product: { name, visible_in_store: true } })
  const variant = await ask('GET', `/products/variants/${product.default_variant_id}`)
  const price = await ask('POST', `/products/variants/${variant.id}/prices`, { products_price: { amount } })
  return { product: product.id, variant: variant.public_id, price: price.public_id }
}

const funnel = await ask('POST', `${workspace}/funnels`, { funnel: { name: `Mug ${Date.now().toString(36)}` } })
const [mug, guide, second] = await Promise.all([
  sell('Enamel mug', '18.00'),
  sell('Brewing guide', '7.00'),
  sell('A second mug', '12.00'),
])
const code = { name: 'Welcome', code: 'WELCOME10', discount_method: 'percentage', percent: '10' }
const known = await ask('GET', `${workspace}/discounts?filter[code]=WELCOME10`)
if (known.length === 0) await ask('POST', `${workspace}/discounts`, { discount: code })

// The order of the steps is the order in which their pages are registered.
const pages = {}
for (const name of ['index', 'checkout', 'offer', 'thanks']) {
  const external_url = `${PAGES_URL}/${name === 'index' ? '' : name + PAGES_ENDING}`
  const page = { name, external_url, funnel: { funnel_id: String(funnel.id) } }
  pages[name] = await ask('POST', `${workspace}/pages/external`, { page })
}
const attach = (page, block) => ask('PATCH', `/pages/${page.id}`, { page: { show_page_step: block } })
await attach(pages.checkout, {
  product_ids: [mug.product],
  bumps: [{ product_id: guide.product, preheadline: 'Brew it better' }],
})
await attach(pages.offer, { product_ids: [second.product] })
await ask('PUT', `/funnels/${funnel.id}/checkout`, { checkout: { enabled: true } })

const tokens = Object.fromEntries(Object.entries(pages).map(([name, page]) => [name, page.sdk.token]))
const noted = { sdk: MILLRACE_SDK, funnel_id: funnel.id, tokens, offer: `${second.variant}|${second.price}` }
await writeFile(PAGES_FILE, `${JSON.stringify(noted, null, 2)}\n`)
console.log(`funnel ${funnel.id}: its pages are at ${PAGES_URL}/ as soon as they are served`)
