import type { ProductWish, Ref } from '../../funnels/funnel/commands.ts'
import type { Json } from '../../kernel/event.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import type { WriteInput } from '../../kernel/resource.ts'
import { objectOf } from '../../kinds/structure.ts'

type ParseId = WriteInput['parseId']

const BLOCK = 'show_page_step'
const malformed = (text: string, code = 'invalid'): Refusal => refuse.malformed(text, BLOCK, code)

/** An id that a client sent, as it was spelled and as it was understood. */
export const refOf = (value: unknown, parseId: ParseId): Ref => ({
  id: parseId(value, 'product') ?? 0,
  sent: String(value),
})

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

type Bump = ProductWish['bumps'][number]

const bumpsOf = (sent: unknown, parseId: ParseId): readonly Bump[] | Refusal => {
  if (sent === undefined || sent === null) return []
  if (!Array.isArray(sent) || !sent.every(isObject)) {
    return malformed(`${BLOCK}.bumps must be an array of objects, each with a product_id.`, 'type')
  }
  const entries = sent.map(objectOf)
  const extra = [...new Set(entries.flatMap((entry) => Object.keys(entry)))].filter(
    (key) => key !== 'product_id' && key !== 'preheadline',
  )
  if (extra.length > 0) {
    return malformed(
      `${BLOCK}.bumps has unsupported keys: ${extra.join(', ')}. Accepted keys: product_id, preheadline.`,
      'unpermitted',
    )
  }
  if (entries.some(({ product_id }) => product_id === undefined || product_id === null || product_id === '')) {
    return malformed(`Every ${BLOCK}.bumps entry requires a product_id.`, 'blank')
  }
  return entries.map(({ product_id, preheadline }) => ({
    ...refOf(product_id, parseId),
    ...(typeof preheadline === 'string' && { preheadline }),
  }))
}

/** The products that a `show_page_step` block asks for; `undefined` when it asks for none. */
export const productWish = (block: Json | undefined, parseId: ParseId): ProductWish | Refusal | undefined => {
  if (block === undefined || block === null) return undefined
  if (!isObject(block)) return malformed(`${BLOCK} must be an object with product_ids and bumps.`, 'type')
  const { product_ids = null, bumps: sentBumps, ...others } = objectOf(block)
  if (product_ids !== null && !Array.isArray(product_ids))
    return malformed(`${BLOCK}.product_ids must be an array of product ids.`, 'type')
  const unsupported = Object.keys(others)
  if (unsupported.length > 0) {
    return malformed(
      `${BLOCK} has unsupported keys: ${unsupported.join(', ')}. Accepted keys: product_ids, bumps.`,
      'unpermitted',
    )
  }
  const bumps = bumpsOf(sentBumps, parseId)
  if (!Array.isArray(bumps)) return bumps as Refusal
  const mains = (product_ids ?? []).map((id: unknown) => refOf(id, parseId))
  return mains.length + bumps.length === 0 ? undefined : { mains, bumps }
}

/** What a `funnel` block names; 0 stands for an id that cannot be one. */
export interface FunnelBlock {
  readonly funnelId?: number
  readonly after?: number
  readonly onto?: number
  readonly keys: readonly string[]
}

const idAt = (
  block: Readonly<Record<string, unknown>>,
  key: string,
  kind: string,
  parseId: ParseId,
): number | undefined => {
  const value = block[key]
  return value === undefined || value === null || value === '' ? undefined : (parseId(value, kind) ?? 0)
}

/** Reads a `funnel` block; an empty one is as good as none. */
export const funnelBlock = (sent: Json | undefined, parseId: ParseId): FunnelBlock | Refusal => {
  if (sent === undefined || sent === null) return { keys: [] }
  if (!isObject(sent)) return refuse.malformed('funnel must be an object.', 'funnel', 'type')
  const block = objectOf(sent)
  const funnelId = idAt(block, 'funnel_id', 'funnel', parseId)
  const after = idAt(block, 'after_show_page_step_id', 'funnels/show_page_step', parseId)
  const onto = idAt(block, 'show_page_step_id', 'funnels/show_page_step', parseId)
  return {
    keys: Object.keys(block),
    ...(funnelId !== undefined && { funnelId }),
    ...(after !== undefined && { after }),
    ...(onto !== undefined && { onto }),
  }
}

/** Why a `funnel` block has keys that it may not have; `undefined` when it has none of those. */
export const keysProblem = ({ keys }: FunnelBlock, accepted: readonly string[]): Refusal | undefined => {
  if (keys.includes('products') || keys.includes('product_ids')) {
    return refuse.malformed(
      '`funnel.products` is not supported. Use `show_page_step.product_ids` instead.',
      'funnel',
      'unpermitted',
    )
  }
  const unsupported = keys.filter((key) => !accepted.includes(key))
  if (unsupported.length === 0) return undefined
  const text = `page.funnel has unsupported keys: ${unsupported.join(', ')}. Accepted keys: ${accepted.join(', ')}.`
  return refuse.invalid(text, 'funnel', 'unpermitted')
}
