import { gatewayOfPages, type PageGateway, pageNodes } from '../../domain/funnels/public.ts'
import { boundTo } from '../../domain/kernel/decide/bound-reader.ts'
import { readerOver } from '../../domain/kernel/decide/rules.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { gatewayAccount } from '../../domain/payments/public.ts'
import { effectiveVariants, price, product, variant } from '../../domain/store/public.ts'
import type { FoundPage } from './page-of.ts'
import type { SdkService } from './service.ts'

/** Variant that a page sells, with its prices. */
export interface SoldVariant {
  readonly variant: RecordOf<typeof variant>
  readonly prices: readonly RecordOf<typeof price>[]
}

/** Product that a page sells. */
export interface SoldProduct {
  readonly product: RecordOf<typeof product>
  readonly bump: boolean
  readonly preheadline: string | null
  readonly variants: readonly SoldVariant[]
}

/** What a page sells, and by which gateway it charges. */
export interface Selling {
  readonly gateway: PageGateway
  readonly products: readonly SoldProduct[]
}

const isForSale = ({ archived, visible }: { readonly archived: boolean | null; readonly visible: boolean | null }) =>
  archived !== true && visible !== false

/** Returns what the step of a page sells, in the order of the step; `undefined` where its funnel does not sell. */
export const sellingOn = async (
  { everywhere: live }: Pick<SdkService, 'everywhere'>,
  { step, ...place }: FoundPage,
): Promise<Selling | undefined> => {
  if (!step?.funnel.checkout_enabled) return undefined
  const read = readerOver(boundTo(live, place))
  const account = await read.one(gatewayAccount, step.funnel.checkout_account_id)
  const gateway = gatewayOfPages(step.funnel, account)
  if (!gateway) return undefined
  const ids = step.products.map(({ product_id }) => product_id)
  const products = (await read.many(product, ids)).filter(({ archived }) => !archived)
  const found = await read.many(
    variant,
    products.flatMap(({ variant_ids }) => variant_ids),
  )
  const variants = await effectiveVariants(found.filter(isForSale), read)
  const where = { variant_id: { $in: variants.map(({ id }) => id) } }
  const prices = variants.length === 0 ? [] : (await read.find(price, { where })).filter(isForSale)
  return {
    gateway,
    products: step.products.flatMap(({ product_id, bump, bump_preheadline: preheadline }) =>
      products
        .filter(({ id }) => id === product_id)
        .map((one) => ({
          product: one,
          ...{ bump, preheadline },
          variants: variants
            .filter((each) => each.product_id === product_id)
            .map((each) => ({ variant: each, prices: prices.filter(({ variant_id }) => variant_id === each.id) })),
        })),
    ),
  }
}

/** Returns an amount without zeros at its end: `97` for `97.00`. */
const unpadded = (amount: string): string => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount)

const shownBy =
  ({ publicIds }: Pick<SdkService, 'publicIds'>) =>
  ({ product: { id, name }, bump, preheadline, variants }: SoldProduct): JsonObject => ({
    id: publicIds.of(product.name).encode(id),
    name,
    variants: variants.map(({ variant: one, prices }) => ({
      id: publicIds.of(variant.name).encode(one.id),
      name: one.name ?? name,
      product_type: one.product_type ?? 'digital',
      prices: prices.map(({ id: priceId, amount, currency, payment_type, interval, interval_count, ...of }) => ({
        id: publicIds.of(price.name).encode(priceId),
        name: of.name,
        amount: unpadded(amount),
        currency: currency.toLowerCase(),
        payment_type: payment_type ?? 'one_time',
        ...{ interval, interval_count },
      })),
    })),
    ...(bump && preheadline !== null && { bump_preheadline: preheadline }),
  })

/** Gateway of a page, as its browser is told. */
const gatewayShown = ({ provider: gateway, key }: PageGateway, live: boolean): JsonObject => ({ gateway, key, live })

/** How a page sells, and what, as its browser is told. */
export interface CatalogueShown {
  readonly checkout: JsonObject | null
  readonly offer: boolean
  readonly catalog: JsonObject
}

/** Returns how a page sells, and its catalogue (spec 2.9): both are empty where it does not. */
export const catalogueOf = async (
  service: Pick<SdkService, 'everywhere' | 'publicIds'>,
  found: FoundPage,
): Promise<CatalogueShown> => {
  const selling = await sellingOn(service, found)
  const shown = shownBy(service)
  const products = selling?.products ?? []
  return {
    checkout: selling && products.length > 0 ? gatewayShown(selling.gateway, found.mode === 'live') : null,
    // Only a page behind another one can be reached by the redirect of a checkout.
    offer: products.length > 0 && found.step?.node.id !== pageNodes(found.step?.funnel.tree ?? [])[0]?.id,
    catalog: {
      products: products.filter(({ bump }) => !bump).map(shown),
      bumpProducts: products.filter(({ bump }) => bump).map(shown),
    },
  }
}
