import type { FunnelFacts } from '../../../domain/funnels/funnel/facts.ts'
import type { Branch, PageNode, SplitNode, TreePosition } from '../../../domain/funnels/funnel/tree.ts'
import type { ArrivingPage, Slot } from '../../../domain/funnels/funnel/wanted.ts'
import type { DomainEvent } from '../../../domain/kernel/values/event.ts'

/** Ids in tests are derived from the page's: its step is `page + 100`, the show_page_step `page + 200`. */
export const idsOf = (page: number) => ({ stepId: page + 100, showPageStepId: page + 200 })
export const step = (page: number, path: string | null = `/p${page}`): PageNode => ({
  type: 'show_page_step',
  id: page + 100,
  show_page_step_id: page + 200,
  page_id: page,
  current_path: path,
})
export const refTo = (page: number) => ({ show_page_step_id: page + 200, page_id: page })
export const trunk = (index: number): TreePosition => ({ split_id: null, branch: 0, index })
export const inside = (split_id: number, branch: Branch, index: number): TreePosition => ({ split_id, branch, index })
export const arriving = (page: number, path?: string): ArrivingPage => ({
  pageId: page,
  external: false,
  name: `P${page}`,
  ...(path !== undefined && { path }),
})
export const slot = (page: number): Slot => ({ pageId: page, ...idsOf(page) })

export const created: DomainEvent = {
  type: 'FunnelCreated',
  data: { name: 'Launch', current_path: '/launch', domain_id: null, tag_ids: [], head_code: null, footer_code: null },
}
export const placed = (page: number, place: TreePosition): DomainEvent => ({
  type: 'StepPlaced',
  data: { step: step(page), place },
})
/** A funnel with these pages in a row. */
export const funnelOf = (...pages: readonly number[]): readonly DomainEvent[] => [
  created,
  ...pages.map((page, index) => placed(page, trunk(index))),
]
export const splitTest = (id: number, weights: readonly [number, number] = [50, 50]): SplitNode => ({
  type: 'split_test_step',
  id,
  weights,
  branches: [[], []],
})
export const conditional = (id: number): SplitNode => ({
  type: 'conditional_split_step',
  id,
  filter: null,
  branches: [[], []],
})
export const inserted = (split: SplitNode, place: TreePosition): DomainEvent => ({
  type: 'SplitInserted',
  data: { split, place },
})

type PageFact = NonNullable<ReturnType<FunnelFacts['pages']['get']>>
type ProductFact = NonNullable<ReturnType<FunnelFacts['products']['get']>>

const HOSTED: PageFact = { external: false, name: '', current_path: null, in_funnel: false }

/** Facts in which these pages are unplaced and hosted at their own slugs. */
export const facts = (
  pages: readonly number[] = [],
  more: {
    readonly products?: Readonly<Record<number, ProductFact>>
    readonly pages?: Readonly<Record<number, Partial<PageFact>>>
  } = {},
): FunnelFacts => ({
  pages: new Map<number, PageFact>([
    ...pages.map((id): [number, PageFact] => [id, { ...HOSTED, name: `P${id}`, current_path: `/p${id}` }]),
    ...Object.entries(more.pages ?? {}).map(([id, page]): [number, PageFact] => [Number(id), { ...HOSTED, ...page }]),
  ]),
  products: new Map(Object.entries(more.products ?? {}).map(([id, product]) => [Number(id), product])),
  pathTaken: false,
  pathSpelledOtherwise: false,
})
