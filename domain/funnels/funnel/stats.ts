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
  statisticsAsked,
  statisticsQuery,
  stepNumbers,
  stepSchema,
  summaryOf,
  summarySchema,
  timerangeOf,
  timerangeSchema,
  totalsOf,
} from '../../statistics/public.ts'
import { funnel } from './model.ts'
import { type PageNode, pageNodes } from './tree.ts'

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
})

/** Loads the pages of steps, all in one batch. */
const loadPages = async (nodes: readonly PageNode[], load: ReadInput['load']): Promise<ReadonlyMap<number, Page>> => {
  const ids = nodes.map(({ page_id }) => page_id)
  return new Map((await load.many(page.name, ids)).map(recordOf(page)).map((one) => [one.id, one]))
}

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
  const steps = () =>
    nodes.map((node) => {
      const shown = pages.get(node.page_id)
      const step = { page_id: node.page_id, name: shown?.name ?? 'Page', current_path: pathOf(shown, node) }
      return stepNumbers(step, totalsOf(totals.steps, node.show_page_step_id), currency)
    })
  return {
    funnel: { id, public_id, name },
    currency,
    live_mode: asked.live,
    timerange: timerangeOf(asked.window),
    summary: summaryOf(totals.funnel, currency),
    ...(withSteps
      ? { steps: steps() }
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
