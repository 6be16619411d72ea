import { randomBytes, randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { ok } from './client.ts'
import { ORGANIZATION, openRebillyDouble, REBILLY_KEY, type RebillyDouble, WEBSITE } from './payments/rebilly-double.ts'
import { openStripeDouble, STRIPE_KEY, type StripeDouble } from './payments/stripe-double.ts'
import { type Buying, line, type Offered, type SdkShop, sdkShop, someone } from './sdk-shop.ts'
import { startTestService, type Tenant, type TestService } from './service.ts'
import { sendNotification, signed, stripeEvent } from './traffic/payment-traffic.ts'

const SECRET = `whsec_${randomBytes(12).toString('hex')}`

/** A token of a card of Stripe whose bank asks. */
export const asking = (): string => `ctoken_authentication-${randomUUID()}`

/** Fields of an account with Stripe. */
export const ON_STRIPE = {
  ...{ provider: 'stripe', secret_key: STRIPE_KEY },
  ...{ webhook_secret: SECRET, publishable_key: 'pk_test_1' },
}

/** Fields of an account with Payments AI. */
export const ON_PAYMENTS_AI = {
  ...{ provider: 'payments_ai', secret_key: REBILLY_KEY },
  ...{ external_organization_id: ORGANIZATION, external_website_id: WEBSITE },
}

/** Something that is sold on a page. */
export interface OnSale {
  readonly shop: SdkShop
  readonly mug: Offered
}

/** Pages that sell over accounts with doubles of the gateways, in a test workspace. */
export interface GatewayShops {
  readonly stripe: StripeDouble
  readonly rebilly: RebillyDouble
  readonly service: TestService
  readonly tenant: Tenant
  /** Opens an account. @returns its id */
  open(fields: object, of?: Tenant): Promise<number>
  /** Makes a funnel that sells a mug over an account, or over the simulator. */
  shopOver(account?: number, amount?: string, of?: Tenant): Promise<OnSale>
  /** Sends the same notification of Stripe twice. */
  notify(account: number, type: string, object: object): Promise<void>
  /** A new visitor pays for a mug. */
  buys(at: OnSale, card: string): Promise<Buying>
  close(): Promise<unknown>
}

export const openGatewayShops = async (): Promise<GatewayShops> => {
  const [stripe, rebilly] = [await openStripeDouble(), await openRebillyDouble()]
  const service = await startTestService({ MILLRACE_STRIPE_URL: stripe.url, MILLRACE_PAYMENTS_AI_URL: rebilly.url })
  const tenant = await service.tenant({ test: true })
  return {
    ...{ stripe, rebilly, service, tenant },
    async open(fields, { api, workspaceId } = tenant) {
      const path = `/workspaces/${workspaceId}/payments/gateway_accounts`
      return ok(await api.post(path, { payments_gateway_account: { name: 'Main', ...fields } })).id
    },
    async shopOver(account, amount = '12.50', of = tenant) {
      const over = account === undefined ? {} : { gateway_account_id: account }
      const shop = await sdkShop(service, of, 2, { enabled: true, ...over })
      return { shop, mug: await shop.sells(shop.pages[0]!, { amount }) }
    },
    async notify(account, type, object) {
      const body = stripeEvent(type, object)
      const send = () => sendNotification(service, account, body, signed(body, SECRET))
      expect(await Promise.all([send(), send()])).to.deep.equal([204, 204])
    },
    async buys({ shop, mug }, card) {
      const buying = await shop.arrives(shop.pages[0]!)
      await buying.pay([line(mug)], { card, email: someone() })
      return buying
    },
    close: () => Promise.all([stripe.close(), rebilly.close()]),
  }
}
