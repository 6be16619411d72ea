import { Type } from 'typebox'
import { refineFilterResource } from '../../filters/public.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { picker } from '../../resources/pick.ts'
import { dateTime, nullable, nullableString } from '../../resources/schemas.ts'
import { named } from '../../resources/view.ts'
import type { Loader } from '../../resources/view-types.ts'
import { type conditionalSplit, funnel, type splitTest } from '../funnel/model.ts'
import { firstPage, locateSplit, type SplitNode, type Tree } from '../funnel/tree.ts'

const side = {
  show_page_step: nullable(
    Type.Object({ id: Type.Integer(), public_id: Type.String(), name: Type.String(), current_path: nullableString }),
  ),
  page: nullable(named.schema),
}
const times = { created_at: dateTime, updated_at: dateTime }
const pickNamed = picker(['id', 'public_id', 'name'])

/** Presents the page that a branch begins with, and its step; both `null` when there is none. */
const presentSide = async (steps: Tree, load: Loader): Promise<JsonObject> => {
  const first = firstPage(steps)
  const [step, page] = await Promise.all([
    load.one('funnels/show_page_step', first?.show_page_step_id),
    load.one('page', first?.page_id),
  ])
  if (!first || !step || !page) return { show_page_step: null, page: null }
  const { id, public_id } = step
  return { show_page_step: { id, public_id, name: page.name, current_path: first.current_path }, page: pickNamed(page) }
}

/** Loads the funnel of a split, the node of the split in its tree, and the first page of each branch. */
const loadSplit = async ({ id, funnel_id }: { readonly id: number; readonly funnel_id: number }, load: Loader) => {
  const parent = await load.one('funnel', funnel_id)
  const node = parent && locateSplit(recordOf(funnel)(parent).tree, id)?.node
  const sides = await Promise.all((node?.branches ?? [[], []]).map((steps) => presentSide(steps, load)))
  return { parent, node, sides }
}

export const splitTestView = {
  schema: Type.Object({
    id: Type.Integer(),
    public_id: Type.String(),
    funnel: named.schema,
    variants: Type.Array(Type.Object({ ...side, weight: Type.Integer() })),
    ...times,
  }),
  async present(split: RecordOf<typeof splitTest>, load: Loader) {
    const { parent, node, sides } = await loadSplit(split, load)
    const weights = node?.type === 'split_test_step' ? node.weights : [0, 0]
    const { id, public_id, created_at, updated_at } = split
    const variants = sides.map((one, index) => ({ ...one, weight: weights[index] ?? 0 }))
    return { id, public_id, funnel: pickNamed(parent ?? {}), variants, created_at, updated_at }
  },
}

/** Presents the condition of a split. A removed filter is shown no more, even before the split has given it up. */
const presentCondition = async (
  node: SplitNode | undefined,
  load: Loader,
  expand: ReadonlySet<string>,
): Promise<JsonObject> => {
  const filter = node?.type === 'conditional_split_step' ? node.filter : null
  const stored = await load.one('refine_filter', filter?.id)
  const condition = { filter_id: stored?.public_id ?? null, is_setup: stored !== undefined }
  return stored && expand.has('filter')
    ? { ...condition, filter: await load.present('refine_filter', stored) }
    : condition
}

export const conditionalSplitView = {
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
    branches: Type.Array(Type.Object(side), { description: 'Always two: matched, unmatched' }),
    ...times,
  }),
  expands: { filter: 'inside' as const },
  async present(split: RecordOf<typeof conditionalSplit>, load: Loader, expand: ReadonlySet<string>) {
    const { parent, node, sides } = await loadSplit(split, load)
    const { id, public_id, funnel_id, created_at, updated_at } = split
    const condition = await presentCondition(node, load, expand)
    const funnel_public_id = parent?.public_id ?? ''
    return { id, public_id, funnel_id, funnel_public_id, condition, branches: sides, created_at, updated_at }
  },
}
