import type { FactReader } from '../../kernel/decide/command.ts'
import { type Reader, readerOver } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { Concerned } from '../../kernel/react/publication.ts'
import type { FoldedEvent } from '../../kernel/values/event.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
import { invoice } from '../invoice/model.ts'
import { lineItem } from './line-item.ts'
import { order } from './model.ts'

const LINES_AT_MOST = 1000

interface OrderEvent extends Pick<FoldedEvent, 'stream'> {
  readonly data: Readonly<Record<string, unknown>>
}

interface Sold {
  readonly found: RecordOf<typeof order>
  readonly products: readonly number[]
  readonly variants: readonly number[]
}

/** When something happened to an order that is charged elsewhere, whose client may record it long afterwards. */
type HappenedAt = (sold: Sold, read: Reader) => Promise<string | null> | string | null

/** Returns a function that names the buyer of an order, and its funnel, products and variants for conditions of workflow triggers. */
const concerned =
  (more: (sold: Sold, data: OrderEvent['data']) => Concerned['conditions'] = () => ({}), happenedAt?: HappenedAt) =>
  async ({ stream, data }: OrderEvent, documents: FactReader): Promise<Concerned> => {
    const read = readerOver(documents)
    const { id } = parseStream(stream)
    const [found, lines] = await Promise.all([
      read.one(order, id),
      read.find(lineItem, { where: { order_id: id }, limit: LINES_AT_MOST }),
    ])
    if (!found) return { contact_id: null, conditions: {} }
    const products = lines.map(({ product_id }) => product_id)
    const variants = lines.map(({ variant_id }) => variant_id)
    const sold = { found, products, variants }
    return {
      contact_id: found.contact_id,
      ...(happenedAt && found.payment_processor === 'external' && { happened_at: await happenedAt(sold, read) }),
      conditions: {
        funnel_id: found.sold_funnel_id,
        product_id: products,
        product_variant_id: variants,
        ...more(sold, data),
      },
    }
  }

export const concernedByOrder = concerned()

/** Says when the newest of the invoices was paid. */
export const concernedByPurchase = concerned(undefined, async ({ found: { id } }, read) => {
  const bills = await read.find(invoice, { where: { order_id: id, paid_at: { $ne: null } } })
  const paid = bills.flatMap(({ paid_at }) => paid_at ?? [])
  return paid.toSorted().at(-1) ?? null
})

/** Says when the service of the subscription ended. */
export const concernedByEnd = concerned(undefined, ({ found }) => found.churned_at)

/** Adds what was canceled, and the reason that was given. */
export const concernedByCancellation = concerned(
  ({ found, products, variants }) => ({
    cancellation_product_id: products,
    cancellation_product_variant_id: variants,
    subscription_cancelation_reason: found.cancel_reason,
  }),
  ({ found }) => found.canceled_at,
)

/** Adds the variant that a move to another price leads to. Conditions on products also match what the line was for before. */
export const concernedByMove = concerned(({ products, variants }, data) => ({
  product_id: [...products, Number(data.previous_product_id)],
  product_variant_id: [...variants, Number(data.previous_variant_id)],
  subscription_variant_to_id: Number(data.variant_id),
}))
