import { type TSchema, Type } from 'typebox'
import { differs } from '../../kernel/model/derived-events.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import type { ReadInput } from '../../resources/read-operation.ts'
import { nullableInteger } from '../../resources/schemas.ts'
import { walkTree } from '../../resources/tree/tree.ts'
import type { Loader } from '../../resources/view-types.ts'
import { STEP_TYPE_NAMES } from '../steps/index.ts'
import { step, version, workflow } from './model.ts'
import { ownRevisions } from './own-records.ts'
import { type FrozenStep, type FrozenTree, frozen } from './tree.ts'

/** Collection of runs, which this file must not import. */
const RUNS = 'workflows/run'

const EDITS = ['none', 'changed', 'added', 'deleted'] as const

export const impactSchema: TSchema = Type.Object({
  workflow_id: Type.Integer(),
  version: nullableInteger,
  has_edits: Type.Boolean({ description: 'Whether enabling would publish another version' }),
  active_runs_count: Type.Integer({ description: 'All of them finish on the versions on which they began' }),
  steps: Type.Array(
    Type.Object({
      step_id: Type.Integer(),
      step_type: Type.Enum([...STEP_TYPE_NAMES]),
      name: Type.String(),
      edit: Type.Enum([...EDITS], { description: 'What publishing changes of it for runs that begin afterwards' }),
      runs_here: Type.Integer({ description: 'Runs that stand at it now. They take it as it is in their version' }),
    }),
  ),
})

type Steps = ReadonlyMap<number, FrozenStep>

const stepsOf = (tree: FrozenTree): Steps =>
  new Map([...walkTree<FrozenStep>(tree)].map(({ node }) => [node.id, node] as const))

/** Returns a step without what lies in its branches, which are steps of their own. */
const own = ({ branches: _, ...step }: FrozenStep): JsonObject => step

const editOf = (id: number, published: Steps, edited: Steps): (typeof EDITS)[number] => {
  const [before, after] = [published.get(id), edited.get(id)]
  if (!after) return 'deleted'
  if (!before) return 'added'
  return differs(own(before), own(after)) ? 'changed' : 'none'
}

/** Returns the tree that enabling a workflow would publish. */
export const treeToPublish = async (
  { id, tree }: Pick<RecordOf<typeof workflow>, 'id' | 'tree'>,
  load: Loader,
): Promise<FrozenTree> => {
  const contents = (await load.where(step.name, 'workflow_id', id)).map(recordOf(step))
  const contentOf = new Map(contents.map((one) => [one.id, one]))
  const revisions = await ownRevisions(contents, (kind, ids) => load.many(kind, ids))
  return frozen(tree, (of) => contentOf.get(of), revisions)
}

/** Returns how many runs stand at each step, and what publishing the edits would change. */
export const readImpact = async ({ document, load }: ReadInput): Promise<JsonObject> => {
  const of = recordOf(workflow)(document ?? {})
  const { id, version_id, version_number } = of
  const [versions, edited] = await Promise.all([load.where(version.name, 'workflow_id', id), treeToPublish(of, load)])
  const records = versions.map(recordOf(version))
  const present = records.find((one) => one.id === version_id)
  const [before, after] = [stepsOf(present?.steps ?? []), stepsOf(edited)]
  const all = new Map([...records.flatMap(({ steps }) => [...stepsOf(steps)]), ...after])
  const counted = await Promise.all(
    [...all.values()].map(async (one) => ({ one, here: await load.count(RUNS, 'current_step_id', one.id) })),
  )
  const steps = counted
    .filter(({ one, here }) => here > 0 || before.has(one.id) || after.has(one.id))
    .map(({ one: { id: step_id, type: step_type, name }, here: runs_here }) => ({
      ...{ step_id, step_type, name, edit: editOf(step_id, before, after), runs_here },
    }))
  return {
    workflow_id: id,
    version: version_id === null ? null : version_number,
    has_edits: !present || differs(present.steps, edited),
    active_runs_count: await load.count(RUNS, 'active_in', id),
    steps,
  }
}
