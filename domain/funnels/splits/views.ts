import { Type } from 'typebox'
import { refineFilterResource } from '../../filters/refine-filter/index.ts'
import type { JsonObject } from '../../kernel/event.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { Loader, View } from '../../kernel/resource.ts'
import { picker } from '../../kinds/pick.ts'
import { dateTime, nullable, nullableString } from '../../kinds/schemas.ts'
import { presentPageShort } from '../../pages/page/address.ts'
import { treeOf } from '../funnel/documents.ts'
import { firstPage } from '../funnel/splits.ts'
import { locateSplit, type SplitNode, type Tree } from '../funnel/tree.ts'
import { funnelShortSchema, presentFunnelShort } from '../funnel/view.ts'

const slotSchema = {
  show_page_step: nullable(
    Type.Object({ id: Type.Integer(), public_id: Type.String(), name: Type.String(), current_path: nullableString }),
  ),
  page: nullable(Type.Object({ id: Type.Integer(), public_id: Type.String(), name: Type.String() })),
}
const EMPTY: JsonObject = { show_page_step: null, page: null }

const pickCore = picker(['id', 'public_id'])
const pickTimes = picker(['created_at', 'updated_at'])

/** The page that a branch begins with, and its step; both `null` while there is none. */
const presentSlot = async (steps: Tree, load: Loader): Promise<JsonObject> => {
  const first = firstPage(steps)
  if (!first) return EMPTY
  const [step, page] = await Promise.all([
    load.one('funnels/show_page_step', first.show_page_step_id),
    load.one('page', first.page_id),
  ])
  if (!step || !page) return EMPTY
  return {
    show_page_step: { id: step.id, public_id: step.public_id, name: page.name, current_path: first.current_path },
    page: presentPageShort(page),
  }
}

const nodeOf = async (document: Document, load: Loader) => {
  const funnel = await load.one('funnel', Number(document.funnel_id))
  return { funnel, node: funnel && locateSplit(treeOf(funnel), Number(document.id))?.node }
}

const slotsOf = async (node: SplitNode | undefined, load: Loader): Promise<readonly JsonObject[]> =>
  Promise.all((node?.branches ?? [[], []]).map((steps) => presentSlot(steps, load)))

export const splitTestView: View = {
  schema: Type.Object({
    id: Type.Integer(),
    public_id: Type.String(),
    funnel: funnelShortSchema,
    variants: Type.Array(Type.Object({ ...slotSchema, weight: Type.Integer() })),
    created_at: dateTime,
    updated_at: dateTime,
  }),
  async present(document, load) {
    const { funnel, node } = await nodeOf(document, load)
    const weights = node?.type === 'split_test_step' ? node.weights : [0, 0]
    const slots = await slotsOf(node, load)
    return {
      ...pickCore(document),
      funnel: presentFunnelShort(funnel ?? {}),
      variants: slots.map((slot, index) => ({ ...slot, weight: weights[index] ?? 0 })),
      ...pickTimes(document),
    }
  },
}

/** A filter that was removed leaves its id behind: the split then acts without a filter. */
const presentCondition = async (
  node: SplitNode | undefined,
  load: Loader,
  expand: ReadonlySet<string>,
): Promise<JsonObject> => {
  const filter = node?.type === 'conditional_split_step' ? node.filter : null
  const condition = { filter_id: filter?.public_id ?? null, is_setup: filter !== null }
  const stored = filter && expand.has('filter') ? await load.one('refine_filter', filter.id) : undefined
  return stored ? { ...condition, filter: await load.present('refine_filter', stored) } : condition
}

export const conditionalSplitView: View = {
  schema: Type.Object({
    id: Type.Integer(),
    public_id: Type.String(),
    funnel_id: Type.Integer(),
    funnel_public_id: Type.String(),
    condition: Type.Object({
      filter_id: nullableString,
      is_setup: Type.Boolean(),
      filter: Type.Optional(refineFilterResource.view.schema),
    }),
    branches: Type.Array(Type.Object(slotSchema), { description: 'Always two: matched, unmatched' }),
    created_at: dateTime,
    updated_at: dateTime,
  }),
  expands: { filter: 'inside' },
  async present(document, load, expand) {
    const { funnel, node } = await nodeOf(document, load)
    return {
      ...pickCore(document),
      funnel_id: document.funnel_id,
      funnel_public_id: funnel?.public_id ?? '',
      condition: await presentCondition(node, load, expand),
      branches: await slotsOf(node, load),
      ...pickTimes(document),
    }
  },
}
