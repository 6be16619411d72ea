import { type TSchema, Type } from 'typebox'
import { recordOf } from '../../kernel/model/fold.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { picker } from '../../resources/pick.ts'
import type { ReadInput } from '../../resources/read-operation.ts'
import { nullableInteger } from '../../resources/schemas.ts'
import { presentNodes } from '../../resources/tree/structure.ts'
import { walkTree } from '../../resources/tree/tree.ts'
import { STEP_TYPE_NAMES, settingsSchema, splittingOf } from '../steps/index.ts'
import { step, trigger, workflow } from './model.ts'
import { STATES, shownSettings, stateOf } from './shown-steps.ts'
import { STATUSES, statusOf } from './status.ts'
import type { StepNode } from './tree.ts'

const header = {
  id: Type.Integer(),
  public_id: Type.String(),
  name: Type.String(),
  status: Type.Enum([...STATUSES]),
  disabled: Type.Boolean(),
  archived: Type.Boolean(),
  run_type: Type.String(),
}

const summary = {
  id: Type.Integer(),
  public_id: Type.String(),
  event_type_key: Type.String(),
  active: Type.Boolean(),
  allow_anonymous_contacts: Type.Boolean(),
}

const steps = Type.Array(Type.Object({}, { additionalProperties: true }))

const nodeSchema = Type.Object(
  {
    id: Type.Integer(),
    public_id: Type.String(),
    step_type: Type.Enum([...STEP_TYPE_NAMES]),
    name: Type.String(),
    sort_order: Type.Integer({
      description: 'Position in its own sequence, from 0; a new sequence begins behind a split',
    }),
    state: Type.Enum([...STATES]),
    step_type_settings: settingsSchema,
    convergence_step_id: Type.Optional(nullableInteger),
    branches: Type.Optional(Type.Array(Type.Object({ branch: Type.Enum(['matched', 'unmatched']), steps }))),
    variants: Type.Optional(Type.Array(Type.Object({ weight: Type.Integer(), steps }))),
  },
  { description: 'Steps of branches and variants have the same shape, to any depth' },
)

export const structureSchema: TSchema = Type.Object({
  workflow: Type.Object(header),
  triggers: Type.Array(Type.Object(summary), { description: 'The active ones' }),
  steps: Type.Array(nodeSchema),
})

type Steps = ReadonlyMap<number, RecordOf<typeof step>>

const presentStep = ({ id, type }: StepNode, sort_order: number, steps: Steps, public_id: string): JsonObject => {
  const { name, settings } = steps.get(id) ?? { name: null, settings: {} }
  const step_type_settings = shownSettings({ step_type: type, settings })
  return {
    id,
    public_id,
    step_type: type,
    name: name ?? '',
    sort_order,
    state: stateOf(type, settings),
    step_type_settings,
  }
}

const asSplit = (steps: Steps) => (node: StepNode) => {
  const { id, type, branches } = node
  if (!branches) return undefined
  const weights = splittingOf(type)?.weights?.(steps.get(id)?.settings ?? {})
  return { branches, ...(weights && { weights }) }
}

const pickSummary = picker(Object.keys(summary))

/** Returns the whole tree of a workflow as it is edited. All its steps are read in one batch. */
export const readStructure = async ({ document, load, publicId }: ReadInput): Promise<JsonObject> => {
  const record = recordOf(workflow)(document ?? {})
  const { id, public_id, name, archived, enabled, tree, active_trigger_ids } = record
  const ids = [...walkTree<StepNode>(tree)].map(({ node }) => node.id)
  const [documents, triggers] = await Promise.all([
    load.many(step.name, ids),
    load.many(
      trigger.name,
      [...active_trigger_ids].sort((a, b) => a - b),
    ),
  ])
  const steps = new Map(documents.map(recordOf(step)).map((one) => [one.id, one]))
  const present = (node: StepNode, order: number) => presentStep(node, order, steps, publicId(node.id, step.name))
  return {
    workflow: { id, public_id, name, status: statusOf(record), disabled: !enabled, archived, run_type: 'asynchronous' },
    triggers: triggers.map(pickSummary),
    steps: presentNodes<StepNode>(tree, asSplit(steps), present),
  }
}
