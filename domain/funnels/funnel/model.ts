import { Type } from 'typebox'
import { managed, namesOf } from '../../kernel/model/field.ts'
import { data, flag, integer, list, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { code } from '../../resources/attributes/code.ts'
import { pathText } from '../../resources/attributes/path.ts'
import { pathKeyIn } from '../../resources/attributes/path-key.ts'
import { checkoutSettings } from './checkout-model.ts'
import type { AttachedProduct } from './products.ts'
import type { SplitNode, Tree, TreePosition } from './tree.ts'
import { type TreeEvents, treeAfter } from './tree-events.ts'

type Products = readonly AttachedProduct[]
type WithProducts = { readonly products: Products } | undefined

/** Page that the step shows. Events of former versions do not name it. */
type OfPage = { readonly page_id?: number }
type Bump = { readonly product_id: number; readonly bump_preheadline: string | null }

const setBump = {
  evolve: (step: WithProducts, { product_id, bump_preheadline }: OfPage & Bump) => ({
    products: (step?.products ?? []).map((one) =>
      one.product_id === product_id ? { ...one, bump: true, bump_preheadline } : one,
    ),
  }),
}

/** Step that shows a page with products. Its position is in the funnel's tree. */
export const showPageStep = model('funnels/show_page_step', {
  stream: 'funnel',
  owner: 'funnel_id',
  attributes: {
    step_id: managed(integer({ required: true })),
    page_id: managed(reference('page', { required: true })),
    products: managed(data<Products, { readonly initial: readonly [] }>(Type.Array(Type.Unknown()), { initial: [] })),
  },
  references: { page_id: { to: 'page', setBy: ['StepPlaced', 'PageSwapped'], onTargetEnd: { act: 'losePage' } } },
  events: {
    StepPlaced: {
      of: ({ step }: TreeEvents['StepPlaced']) => [step.show_page_step_id],
      evolve: (_: unknown, { step: { id, page_id } }: TreeEvents['StepPlaced']) => ({ step_id: id, page_id }),
    },
    PageSwapped: { sets: ['page_id'] },
    StepRemoved: { ends: true },
    SplitCollapsed: {
      of: ({ dropped_steps }: TreeEvents['SplitCollapsed']) =>
        dropped_steps.map(({ show_page_step_id }) => show_page_step_id),
      ends: true,
    },
    ProductsAttached: {
      evolve: (step: WithProducts, { products }: OfPage & { readonly products: Products }) => ({
        products: [...(step?.products ?? []), ...products],
      }),
    },
    ProductPromotedToBump: setBump,
    BumpPreheadlineSet: setBump,
    ProductsDetached: {
      evolve: (step: WithProducts, { product_ids }: OfPage & { readonly product_ids: readonly number[] }) => ({
        products: (step?.products ?? []).filter(({ product_id }) => !product_ids.includes(product_id)),
      }),
    },
  },
})

/** Marks the splits whose branches an event touches as changed. Used by both types of splits. */
const within = <D>(places: (data: D) => readonly TreePosition[]) => ({
  of: (data: D) => [...new Set(places(data).flatMap(({ split_id }) => (split_id === null ? [] : [split_id])))],
  evolve: (split: object | undefined) => (split ? {} : null),
})

/** Events of both types of splits. The steps in their branches are in the funnel's tree. */
const splitEvents = (type: SplitNode['type']) =>
  ({
    SplitInserted: {
      of: ({ split }: TreeEvents['SplitInserted']) => (split.type === type ? [split.id] : []),
      evolve: () => ({}),
    },
    SplitCollapsed: {
      of: ({ split_id, dropped_split_ids }: TreeEvents['SplitCollapsed']) => [split_id, ...dropped_split_ids],
      ends: true,
    },
    StepPlaced: within(({ place }: TreeEvents['StepPlaced']) => [place]),
    PageSwapped: within(({ place }: TreeEvents['PageSwapped']) => [place]),
    PageMoved: within(({ from, place }: TreeEvents['PageMoved']) => [from, place]),
    StepRemoved: within(({ from }: TreeEvents['StepRemoved']) => [from]),
  }) as const

/** Split of the traffic by chance. */
export const splitTest = model('funnels/split_test_step', {
  stream: 'funnel',
  owner: 'funnel_id',
  attributes: {},
  events: { ...splitEvents('split_test_step'), VariantsWeighted: {} },
})

const conditionalEvents = splitEvents('conditional_split_step')

const filterIn = (split: SplitNode) => ({
  filter_id: split.type === 'conditional_split_step' ? (split.filter?.id ?? null) : null,
})

/** Split of the traffic by a stored filter. */
export const conditionalSplit = model('funnels/conditional_split_step', {
  stream: 'funnel',
  owner: 'funnel_id',
  attributes: { filter_id: managed(integer({ nullable: true })) },
  references: {
    filter_id: {
      to: 'refine_filter',
      setBy: ['SplitInserted', 'SplitConditionSet'],
      onTargetEnd: { act: 'loseFilter' },
    },
  },
  events: {
    ...conditionalEvents,
    SplitInserted: {
      ...conditionalEvents.SplitInserted,
      evolve: (_, { split }: TreeEvents['SplitInserted']) => filterIn(split),
    },
    SplitConditionSet: {
      evolve: (_, { filter }: TreeEvents['SplitConditionSet']) => ({ filter_id: filter?.id ?? null }),
    },
  },
  // Splits are found by `filter_id`, which documents of version 1 lack.
  version: 2,
})

const changesTree = <D>(after: (tree: Tree, data: D) => Tree) => ({
  evolve: (funnel: { readonly tree: Tree } | undefined, data: D) => ({ tree: after(funnel?.tree ?? [], data) }),
})

/** Tree of steps and splits. They share one stream because the funnel decides their order. The record holds the whole tree, so that one look-up reads it. */
export const funnel = model('funnel', {
  attributes: {
    name: text({ required: true }),
    live_mode: flag({
      ...{ initial: false, about: 'true: live payments; false: test mode' },
      consequence: { says: 'puts a funnel on sale, or takes it off' },
    }),
    domain_id: reference('domain', { nullable: true, about: 'A connected domain; null: every host of the workspace' }),
    head_code: code,
    footer_code: code,
    current_path: pathText({ about: 'Absent: made from the name' }),
    tag_ids: list(reference('funnels/tag'), { initial: [] }),
    tree: managed(data<Tree, { readonly initial: readonly [] }>(Type.Array(Type.Unknown()), { initial: [] })),
    ...checkoutSettings,
  },
  events: {
    FunnelCreated: { creates: true, except: ['live_mode', 'tree', ...namesOf(checkoutSettings)] },
    FunnelRenamed: { sets: ['name'] },
    FunnelDomainChosen: { sets: ['domain_id'] },
    FunnelCodeSet: { changes: 'rest', only: ['head_code', 'footer_code'] },
    FunnelTagsSet: { sets: ['tag_ids'] },
    FunnelWentLive: { constants: { live_mode: true } },
    FunnelReturnedToTest: { constants: { live_mode: false } },
    FunnelCheckoutSet: { sets: namesOf(checkoutSettings) },
    StepPlaced: changesTree(treeAfter.StepPlaced),
    PageSwapped: changesTree(treeAfter.PageSwapped),
    PageMoved: changesTree(treeAfter.PageMoved),
    StepRemoved: changesTree(treeAfter.StepRemoved),
    SplitInserted: changesTree(treeAfter.SplitInserted),
    SplitCollapsed: changesTree(treeAfter.SplitCollapsed),
    VariantsWeighted: changesTree(treeAfter.VariantsWeighted),
    SplitConditionSet: changesTree(treeAfter.SplitConditionSet),
    // A change of the products of a step counts as a change of the funnel.
    ProductsAttached: {},
    ProductPromotedToBump: {},
    BumpPreheadlineSet: {},
    ProductsDetached: {},
  },
  // Funnels are found by their path, however it is spelled.
  derives: {
    version: 1,
    of: ({ workspace_id, current_path }) => ({ path_key: pathKeyIn(workspace_id, current_path) }),
  },
  children: {
    steps: { model: showPageStep, key: 'show_page_step_id' },
    tests: { model: splitTest, key: 'split_id' },
    conditionals: { model: conditionalSplit, key: 'split_id' },
  },
})
