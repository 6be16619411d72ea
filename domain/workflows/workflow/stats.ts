import { Type } from 'typebox'
import { recordOf } from '../../kernel/model/fold.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { Refusal } from '../../kernel/values/refusal.ts'
import type { ReadInput } from '../../resources/read-operation.ts'
import { nullable } from '../../resources/schemas.ts'
import { named } from '../../resources/view.ts'
import { outwardMinutes, timerangeOf, timerangeSchema, windowAsked } from '../../statistics/public.ts'
import { COUNTING, stepTypeOf } from '../steps/index.ts'
import { step, workflow } from './model.ts'

/** Collections of runs and of the steps that they have passed. */
const RUNS = 'workflows/run'
const PASSES = 'workflows/runs/pass'

export const stepStatsSchema = Type.Object({
  step: Type.Object({
    id: Type.Integer(),
    public_id: Type.String(),
    name: Type.String(),
    step_type: Type.String(),
  }),
  workflow: named.schema,
  currency: Type.String(),
  timerange: timerangeSchema,
  contacts: Type.Object({
    are_here: Type.Integer({ description: 'Runs that stand at the step now, whatever the range' }),
    were_here: Type.Integer({ description: 'Passes of the step in the range' }),
  }),
  ...Object.fromEntries(COUNTING.map(({ as, schema }) => [as, nullable(schema)])),
})

type Input = Pick<ReadInput, 'document' | 'query' | 'read' | 'count' | 'load' | 'at'>

/** Returns who is at a step, who was, and what its mails brought. The range begins and ends with a minute. */
export const readStepStats = async (input: Input): Promise<JsonObject | Refusal> => {
  const { document, query, read, count, load, at } = input
  const now = Date.parse(at)
  const asked = windowAsked(query, now)
  if (asked instanceof Refusal) return asked
  const window = outwardMinutes(asked)
  const { id, public_id, name, step_type, workflow_id, workspace_id } = recordOf(step)(document ?? {})
  const [of, workspace] = await Promise.all([load.one(workflow.name, workflow_id), load.one('workspace', workspace_id)])
  const currency = String(workspace?.currency ?? 'USD')
  const { counts } = stepTypeOf(step_type)
  const left_at = { $gte: new Date(window.from).toISOString(), $lt: new Date(window.to).toISOString() }
  return {
    step: { id, public_id, name: name ?? '', step_type },
    workflow: { id: workflow_id, public_id: String(of?.public_id), name: String(of?.name) },
    currency,
    timerange: timerangeOf({ from: window.from, to: Math.min(window.to, now) }),
    contacts: {
      are_here: await count(RUNS, { current_step_id: id }),
      were_here: await count(PASSES, { step_id: id, left_at }),
    },
    ...Object.fromEntries(COUNTING.map(({ as }) => [as, null])),
    ...(counts && { [counts.as]: await counts.of(id, window, currency, read) }),
  }
}
