import type { ApiRecord, ShopClient } from './demo-client.ts'
import { welcomeReaders } from './demo-workflows.ts'

const PINE = '#1f5f4f'

const section = (content: string, background = '#ffffff'): string =>
  `<section bg="${background}"><row><column>${content}</column></row></section>`

const OPT_IN = section(
  `<headline size="xl" align="center">One good cup a week</headline>
<paragraph align="center">A letter about coffee, every Friday. Sign up, and we show you our mug.</paragraph>
<input type="first_name" label="First name"/>
<input type="email" label="E-mail" required="true"/>
<button bg="${PINE}" color="#ffffff" radius="md" align="center">Send me the letter</button>`,
  '#f6f1e7',
)

const CHECKOUT = section(
  `<headline size="l">The enamel mug</headline>
<paragraph>Holds a third of a litre, survives the campsite. The code WELCOME10 takes a tenth off.</paragraph>
<checkout/>`,
)

const offer = (chosen: string): string =>
  section(
    `<headline size="l" align="center">A pour-over cone to go with it?</headline>
<paragraph align="center">One click. It is charged to the card that you have just used, and sent to the same address.</paragraph>
<customhtml><div style="text-align:center">
  <p>12.00 USD, and the parcel: <strong id="offer-total">…</strong> in all.</p>
  <p id="offer-outcome" role="alert"></p>
  <button class="button" type="button" data-cf-element="oto-accept" value="${chosen}">Yes, add it</button>
  <button class="button style2" type="button" data-cf-element="oto-decline">No, thanks</button>
</div>
<script>
  addEventListener('DOMContentLoaded', () => {
    window.CfSdk.checkout.onStateChange(({ totals }) => {
      document.getElementById('offer-total').textContent = (totals.total / 100).toFixed(2) + ' USD'
    })
    window.CfSdk.checkout.onOtoOutcome(({ message }) => {
      document.getElementById('offer-outcome').textContent = message
    })
  })
</script></customhtml>`,
    '#f6f1e7',
  )

const THANKS = section(
  `<headline size="l" align="center">Thank you!</headline>
<confirmation/>`,
)

interface Sold {
  readonly product: ApiRecord
  readonly variant: ApiRecord
  readonly price: ApiRecord
}

/** Puts a product with one variant on sale. */
export const sell = async (
  { ask, make, workspace }: ShopClient,
  name: string,
  amount: string,
  fields: object,
): Promise<Sold> => {
  const product = await make(`${workspace}/products`, 'product', { name, visible_in_store: true })
  const path = `/products/variants/${product.default_variant_id}`
  const variant = await ask('PUT', path, { products_variant: fields })
  const price = await make(`${path}/prices`, 'products_price', { amount })
  return { product, variant, price }
}

/** What the funnel sells and whom it knows. */
interface Offered {
  readonly mug: ApiRecord
  readonly cone: Sold
  /** Tag of those who have bought. */
  readonly customer: ApiRecord
}

/**
 * Makes a funnel of hosted pages in test mode: sign-up, checkout with a bump and a code, a one-click offer, thanks; and the workflow that follows the sign-up.
 *
 * @throws {Error} when something is refused
 */
export const furnishFunnel = async (client: ShopClient, { mug, cone, customer }: Offered): Promise<void> => {
  const { ask, make, workspace, sharesSender } = client
  const [funnel, guide] = await Promise.all([
    make(`${workspace}/funnels`, 'funnel', { name: 'The mug', current_path: 'mug' }),
    sell(client, 'Brewing guide (PDF)', '7.00', { product_type: 'digital' }),
    make(`${workspace}/discounts`, 'discount', {
      ...{ name: 'Welcome', code: 'WELCOME10', discount_method: 'percentage', percent: '10' },
    }),
  ])
  const page = (name: string, markup: string, show_page_step: object = {}) => {
    const fields = { name, markup, funnel: { funnel_id: String(funnel.id) }, show_page_step }
    return make(`${workspace}/pages`, 'page', fields)
  }
  // The steps stand in the order in which their pages are made.
  const letter = await page('Letter', OPT_IN)
  await page('Checkout', CHECKOUT, {
    product_ids: [mug.id],
    bumps: [{ product_id: guide.product.id, preheadline: 'Brew it better' }],
  })
  const chosen = `${cone.variant.public_id}|${cone.price.public_id}`
  await page('Offer', offer(chosen), { product_ids: [cone.product.id] })
  await page('Thanks', THANKS)
  if (sharesSender) await welcomeReaders(client, letter, customer)
  await ask('PUT', `/funnels/${funnel.id}/checkout`, { checkout: { enabled: true } })
}
