import { Type } from 'typebox'
import { recordOf } from '../../kernel/model/fold.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { Json } from '../../kernel/values/event.ts'
import { walkTree } from '../../resources/tree/tree.ts'
import type { Loader } from '../../resources/view-types.ts'
import { version, type workflow } from './model.ts'
import { idsIn } from './named.ts'
import { STEP_TYPES } from './step-types.ts'
import type { FrozenStep } from './tree.ts'

export const brokenStepsSchema = Type.Array(
  Type.Object({ step_id: Type.Integer(), settings: Type.Array(Type.String()) }),
  {
    description:
      'Steps of the version on which runs begin that fail for everybody, and their settings that name a record which is gone. Beyond the contract',
  },
)

/** Returns the settings of a step that name records of which none is there. */
const lostSettings = async ({ type, settings }: FrozenStep, load: Loader): Promise<readonly string[]> => {
  const lost = Object.entries(STEP_TYPES[type].refers).map(async ([setting, kind]) => {
    const ids = idsIn(settings, { [setting]: kind }).map(({ id }) => id)
    if (ids.length === 0) return []
    const found = await load.many(kind, ids)
    // Of a list, one record that is left is enough.
    const isThere = Array.isArray(settings[setting])
      ? found.length > 0
      : found.some(({ archived }) => kind !== 'workflow' || archived !== true)
    return isThere ? [] : [setting]
  })
  return (await Promise.all(lost)).flat()
}

/** Returns the steps of a workflow on which every run fails, because what they name was deleted, or was archived where it is a workflow. */
export const brokenSteps = async ({ version_id }: RecordOf<typeof workflow>, load: Loader): Promise<Json> => {
  const published = version_id === null ? undefined : await load.one(version.name, version_id)
  if (!published) return []
  const steps = [...walkTree<FrozenStep>(recordOf(version)(published).steps)].map(({ node }) => node)
  const all = steps.map(async (step) => ({ step_id: step.id, settings: await lostSettings(step, load) }))
  return (await Promise.all(all)).filter(({ settings }) => settings.length > 0)
}
