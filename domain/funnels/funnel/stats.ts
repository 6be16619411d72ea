import { Type } from 'typebox'
import { recordOf } from '../../kernel/model/fold.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { Refusal } from '../../kernel/values/refusal.ts'
import { page } from '../../pages/page/model.ts'
import { pathOf } from '../../pages/public.ts'
import { read } from '../../resources/operations.ts'
import type { ReadInput } from '../../resources/read-operation.ts'
import { named } from '../../resources/view.ts'
import {
  type ShownSplit,
  type StatisticsRequest,
  splitNumbers,
  splitSchema,
  statisticsAsked,
  statisticsQuery,
  stepNumbers,
  stepSchema,
  summaryOf,
  summarySchema,
  type TotalsOfSteps,
  timerangeOf,
  timerangeSchema,
  totalsOf,
} from '../../statistics/public.ts'
import { type EntrySplitNode, entrySplits } from './entry-splits.ts'
import { funnel } from './model.ts'
import { type PageNode, pageNodes, type Tree } from './tree.ts'

type Page = RecordOf<typeof page>

type Input = Pick<ReadInput, 'document' | 'query' | 'expand' | 'at' | 'asOf' | 'load' | 'read'>

const STEPS = 'steps'

const schema = Type.Object({
  funnel: named.schema,
  currency: Type.String(),
  live_mode: Type.Boolean({ description: 'Whether the numbers are those of live mode' }),
  timerange: timerangeSchema,
  summary: summarySchema,
  page_public_ids: Type.Optional(Type.Array(Type.String(), { description: 'Unless steps are expanded' })),
  steps: Type.Optional(Type.Array(stepSchema)),
  splits: Type.Optional(Type.Array(splitSchema, { description: 'Splits at the entry of the funnel; with steps' })),
})

/** Loads the pages of steps, all in one batch. */
const loadPages = async (
  nodes: readonly Pick<PageNode, 'page_id'>[],
  load: ReadInput['load'],
): Promise<ReadonlyMap<number, Page>> => {
  const ids = nodes.map(({ page_id }) => page_id)
  return new Map((await load.many(page.name, ids)).map(recordOf(page)).map((one) => [one.id, one]))
}

const NO_NAME = 'Page'

const shownSplit = (
  { node, begins }: EntrySplitNode,
  pages: ReadonlyMap<number, Page>,
  totals: TotalsOfSteps,
): ShownSplit => {
  const variant = (branch: 0 | 1) => ({
    stepIds: begins[branch].map(({ show_page_step_id }) => show_page_step_id),
    page_ids: begins[branch].map(({ page_id }) => page_id),
    name: begins[branch].map(({ page_id }) => pages.get(page_id)?.name ?? NO_NAME).join(', '),
    weight: node.type === 'split_test_step' ? node.weights[branch] : null,
    arrivals: begins[branch].reduce((sum, step) => sum + totalsOf(totals, step.show_page_step_id).sessions, 0),
  })
  return { id: node.id, step_type: node.type, variants: [variant(0), variant(1)] }
}

/** Returns the numbers of the steps of a funnel, and of the splits at its entry. */
const parts = async (
  tree: Tree,
  pages: ReadonlyMap<number, Page>,
  totals: TotalsOfSteps,
  currency: string,
  asked: StatisticsRequest,
  load: ReadInput['load'],
) => ({
  steps: pageNodes(tree).map((node) => {
    const shown = pages.get(node.page_id)
    const step = { page_id: node.page_id, name: shown?.name ?? NO_NAME, current_path: pathOf(shown, node) }
    return stepNumbers(step, totalsOf(totals, node.show_page_step_id), currency)
  }),
  splits: await Promise.all(
    entrySplits(tree).map(async (split) => {
      const placements = await asked.entries(split.node.id)
      const sentTo = await loadPages(
        placements.shown.map(({ pageId: page_id }) => ({ page_id })),
        load,
      )
      return splitNumbers(shownSplit(split, pages, totals), placements, (id) => sentTo.get(id)?.name ?? NO_NAME)
    }),
  ),
})

/** Returns the numbers of a funnel: of all that it ever had in its summary, of its present steps one by one if they are asked for. */
export const readFunnelStats = async (input: Input): Promise<JsonObject | Refusal> => {
  const asked = statisticsAsked(input)
  if (asked instanceof Refusal) return asked
  const { id, public_id, name, tree, workspace_id = 0 } = recordOf(funnel)(input.document ?? {})
  const nodes = pageNodes(tree)
  const withSteps = input.expand.has(STEPS)
  const stepIds = withSteps ? nodes.map(({ show_page_step_id }) => show_page_step_id) : []
  const [pages, currency, totals] = await Promise.all([
    loadPages(nodes, input.load),
    asked.currency(workspace_id),
    asked.totals({ funnelId: id, stepIds }),
  ])
  return {
    funnel: { id, public_id, name },
    currency,
    live_mode: asked.live,
    timerange: timerangeOf(asked.window),
    summary: summaryOf(totals.funnel, currency),
    ...(withSteps
      ? await parts(tree, pages, totals.steps, currency, asked, input.load)
      : { page_public_ids: nodes.flatMap(({ page_id }) => pages.get(page_id)?.public_id ?? []) }),
  }
}

/** Statistics of a funnel (operationId getFunnelStats). */
export const funnelStats = read('/funnels/{id}/stats', {
  summary: 'Views, opt-ins and sales of a funnel in a range of time',
  schema,
  query: statisticsQuery,
  expands: [STEPS],
  past: true,
  read: readFunnelStats,
})
