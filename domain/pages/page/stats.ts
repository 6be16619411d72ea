import { Type } from 'typebox'
import { recordOf } from '../../kernel/model/fold.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { Refusal } from '../../kernel/values/refusal.ts'
import { read } from '../../resources/operations.ts'
import type { ReadInput } from '../../resources/read-operation.ts'
import { nullable, nullableString } from '../../resources/schemas.ts'
import {
  statisticsAsked,
  statisticsQuery,
  stepNumbers,
  stepSchema,
  timerangeOf,
  timerangeSchema,
  totalsOf,
} from '../../statistics/public.ts'
import { pathOf } from './address.ts'
import { page } from './model.ts'
import { placeOf, typeOf } from './view.ts'

const naming = { id: Type.Integer(), public_id: Type.String(), name: Type.String() }

const schema = Type.Object({
  currency: Type.String(),
  live_mode: Type.Boolean({ description: 'Whether the numbers are those of live mode' }),
  timerange: timerangeSchema,
  page: Type.Object({ ...naming, current_path: Type.String(), type: nullableString }),
  funnel: nullable(Type.Object(naming)),
  step: nullable(stepSchema),
})

/** Returns the numbers of the step that shows a page. */
const readStats = async (input: ReadInput): Promise<JsonObject | Refusal> => {
  const asked = statisticsAsked(input)
  if (asked instanceof Refusal) return asked
  const shown = recordOf(page)(input.document ?? {})
  const { id, public_id, name, workspace_id = 0 } = shown
  const [place, site, currency] = await Promise.all([
    placeOf(shown, input.load),
    input.load.one('site', workspace_id),
    asked.currency(workspace_id),
  ])
  const numbers = async ({ step, funnel: parent, path }: NonNullable<typeof place>) => {
    const { steps } = await asked.totals({ funnelId: parent.id, stepIds: [step.id] })
    const current_path = pathOf(shown, { current_path: path })
    return stepNumbers({ page_id: id, name, current_path }, totalsOf(steps, step.id), currency)
  }
  const type = typeOf(shown, place !== undefined, site?.homepage_id === id)
  return {
    currency,
    live_mode: asked.live,
    timerange: timerangeOf(asked.window),
    page: { id, public_id, name, current_path: pathOf(shown, shown), type },
    funnel: place ? { id: place.funnel.id, public_id: String(place.funnel.public_id), name: place.funnel.name } : null,
    step: place ? await numbers(place) : null,
  }
}

/** Statistics of a page (operationId getPageStats). */
export const pageStats = read('/pages/{id}/stats', {
  summary: 'Views, opt-ins and sales of the funnel step that shows a page, in a range of time',
  schema,
  query: statisticsQuery,
  past: true,
  read: readStats,
})
