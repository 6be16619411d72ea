import type { AttachedProduct } from '../../domain/funnels/public.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { IMAGES } from '../../domain/media/public.ts'
import { priceText } from '../../domain/orders/public.ts'
import { price, product, variant } from '../../domain/store/public.ts'
import type { Option, PageContent, ShownImage, ShownProduct } from './rendering/context.ts'
import type { Reading } from './site.ts'

const openProduct = recordOf(product)
const openVariant = recordOf(variant)
const openPrice = recordOf(price)

/** Most pictures of a product on a page. */
const MOST_IMAGES = 20

type Variant = RecordOf<typeof variant>

/** Pictures lie below the page's own host, so that no other one is asked. */
const imagesOf = (documents: readonly Document[], name: string): readonly ShownImage[] =>
  documents.map(({ id, key, alt_text }) => ({
    src: `${IMAGES}${id}/${key}/large`,
    alt: typeof alt_text === 'string' && alt_text !== '' ? alt_text : name,
  }))

const isSold = ({ archived }: { readonly archived: boolean | null }): boolean => archived !== true

const optionsOf = async (
  { id, public_id, name, default: isDefault }: Variant,
  productName: string,
  { load }: Reading,
): Promise<readonly Option[]> => {
  const found = (await load.where('products/price', 'variant_id', id)).map(openPrice)
  const title = isDefault || !name || name === productName ? productName : `${productName}, ${name}`
  return found
    .filter((one) => isSold(one) && one.visible !== false)
    .map((one) => ({
      value: `${public_id}|${one.public_id}`,
      name: one.name ? `${title} (${one.name})` : title,
      price: priceText(one),
    }))
}

const shown = async ({ product_id, bump_preheadline }: AttachedProduct, reading: Reading): Promise<ShownProduct[]> => {
  const { load } = reading
  const document = await load.one('product', product_id)
  const found = document && openProduct(document)
  if (!found || found.archived) return []
  const variants = (await load.many('products/variant', found.variant_ids)).map(openVariant)
  const name = found.name ?? ''
  const first = variants.find(({ id }) => id === found.default_variant_id)
  const imageIds = [...new Set([...(found.image_ids ?? []), ...(first?.image_ids ?? [])])].slice(0, MOST_IMAGES)
  const options = await Promise.all(variants.filter(isSold).map((one) => optionsOf(one, name, reading)))
  return [
    {
      name,
      description: first?.description ?? '',
      images: imagesOf(await load.many('image', imageIds), name),
      options: options.flat(),
      preheadline: bump_preheadline,
    },
  ]
}

/** Loads the products of a step as its page shows them. */
export const productsOf = async (
  attached: readonly AttachedProduct[],
  reading: Reading,
): Promise<Pick<PageContent, 'products' | 'bumps'>> => {
  const all = async (bump: boolean) =>
    (await Promise.all(attached.filter((one) => one.bump === bump).map((one) => shown(one, reading)))).flat()
  return { products: await all(false), bumps: await all(true) }
}
