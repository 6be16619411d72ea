import { funnel, showPageStep } from '../../funnels/funnel/model.ts'
import type { Ref, WantedProducts } from '../../funnels/public.ts'
import { isObject } from '../../kernel/model/parse.ts'
import type { Json } from '../../kernel/values/event.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { WriteInput } from '../../resources/operation.ts'

type ParseId = WriteInput['parseId']

const BLOCK = 'show_page_step'
const malformed = (says: string, code: string): Refusal => refuse.malformed(`${BLOCK}${says}`, BLOCK, code)
/** Highest number of bumps in one request. The prices of each are looked up. */
export const MOST_BUMPS = 100

const isAbsent = (value: unknown): value is undefined | null | '' =>
  value === undefined || value === null || value === ''

/** Returns a parsed product id with the text that the client sent; 0 for a text that is no id. */
export const refOf = (value: unknown, parseId: ParseId): Ref => ({
  id: parseId(value, 'product') ?? 0,
  sent: String(value),
})

const bumpsOf = (sent: unknown, parseId: ParseId): WantedProducts['bumps'] | Refusal => {
  if (sent === undefined || sent === null) return []
  if (!Array.isArray(sent) || !sent.every(isObject))
    return malformed('.bumps must be an array of objects, each with a product_id.', 'type')
  if (sent.length > MOST_BUMPS) return malformed(`.bumps has more than ${MOST_BUMPS} items.`, 'too_long')
  const keys = [...new Set(sent.flatMap((entry) => Object.keys(entry)))]
  const extra = keys.filter((key) => key !== 'product_id' && key !== 'preheadline')
  if (extra.length > 0) {
    const says = `.bumps has unsupported keys: ${extra.join(', ')}. Accepted keys: product_id, preheadline.`
    return malformed(says, 'unpermitted')
  }
  if (sent.some(({ product_id }) => isAbsent(product_id)))
    return refuse.malformed(`Every ${BLOCK}.bumps entry requires a product_id.`, BLOCK, 'blank')
  return sent.map(({ product_id, preheadline }) => ({
    ...refOf(product_id, parseId),
    ...(typeof preheadline === 'string' && { preheadline }),
  }))
}

/** Reads the products of a `show_page_step` block; `undefined` when it names none. */
export const productsOf = (block: Json | undefined, parseId: ParseId): WantedProducts | Refusal | undefined => {
  if (block === undefined || block === null) return undefined
  if (!isObject(block)) return malformed(' must be an object with product_ids and bumps.', 'type')
  const { product_ids, bumps: sentBumps, ...others } = block
  const ids = product_ids ?? []
  if (!Array.isArray(ids)) return malformed('.product_ids must be an array of product ids.', 'type')
  const unsupported = Object.keys(others)
  if (unsupported.length > 0) {
    const says = ` has unsupported keys: ${unsupported.join(', ')}. Accepted keys: product_ids, bumps.`
    return malformed(says, 'unpermitted')
  }
  const bumps = bumpsOf(sentBumps, parseId)
  if (bumps instanceof Refusal) return bumps
  const mains = ids.map((id) => refOf(id, parseId))
  return mains.length + bumps.length === 0 ? undefined : { mains, bumps }
}

/** Ids in a `funnel` block; 0 for a text that is no id. */
export type FunnelBlock = { readonly [name in 'funnelId' | 'after' | 'onto']?: number | undefined }

/** Reads a `funnel` block; an empty one is the same as none. Refuses keys that are not accepted. */
export const funnelBlock = (
  block: Json | undefined,
  accepted: readonly string[],
  parseId: ParseId,
): FunnelBlock | Refusal => {
  if (block === undefined || block === null) return {}
  if (!isObject(block)) return refuse.malformed('funnel must be an object.', 'funnel', 'type')
  const keys = Object.keys(block)
  if (keys.includes('products') || keys.includes('product_ids')) {
    const says = '`funnel.products` is not supported. Use `show_page_step.product_ids` instead.'
    return refuse.malformed(says, 'funnel', 'unpermitted')
  }
  const unsupported = keys.filter((key) => !accepted.includes(key))
  if (unsupported.length > 0) {
    const says = `page.funnel has unsupported keys: ${unsupported.join(', ')}. Accepted keys: ${accepted.join(', ')}.`
    return refuse.invalid(says, 'funnel', 'unpermitted')
  }
  const idAt = (key: string, kind: string): number | undefined =>
    isAbsent(block[key]) ? undefined : (parseId(block[key], kind) ?? 0)
  return {
    funnelId: idAt('funnel_id', funnel.name),
    after: idAt('after_show_page_step_id', showPageStep.name),
    onto: idAt('show_page_step_id', showPageStep.name),
  }
}
