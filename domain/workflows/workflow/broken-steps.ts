import { Type } from 'typebox'
import type { FactReader } from '../../kernel/decide/command.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { Json } from '../../kernel/values/event.ts'
import { walkTree } from '../../resources/tree/tree.ts'
import type { Loader } from '../../resources/view-types.ts'
import { stepTypeOf } from '../steps/index.ts'
import { version, type workflow } from './model.ts'
import { idsIn } from './named.ts'
import { stateOf } from './shown-steps.ts'
import type { BrokenStep } from './told-broken.ts'
import type { FrozenStep } from './tree.ts'

export const brokenStepsSchema = Type.Array(
  Type.Object({ step_id: Type.Integer(), settings: Type.Array(Type.String()) }),
  {
    description:
      'Steps of the version on which runs begin that fail for everybody, and their settings that name a record which is gone. Beyond the contract',
  },
)

/** Reads documents by their ids, without those that are gone; of users their memberships. */
type FindMany = (resource: string, ids: readonly number[]) => Promise<readonly Document[]>

interface Lost {
  readonly setting: string
  readonly ids: readonly number[]
}

/** Returns the settings of a step that name records of which none is there, where the step fails without them. Of a list, one that is left is enough. */
const lostSettings = async ({ type, settings }: FrozenStep, find: FindMany): Promise<readonly Lost[]> => {
  const { refers, standsOn } = stepTypeOf(type)
  const look = async (setting: string) => {
    const { to = '', unfit } = refers[setting] ?? {}
    const ids = idsIn(settings, { [setting]: to }).map(({ id }) => id)
    const found = ids.length === 0 ? [] : await find(to, ids)
    return ids.length === 0 ? [] : [{ setting, ids, isThere: found.some((one) => unfit?.(one) === undefined) }]
  }
  const groups = await Promise.all(standsOn.map(async (group) => (await Promise.all(group.map(look))).flat()))
  return groups.filter((group) => group.every((one) => !one.isThere)).flat()
}

/** Returns those steps of a version on which every run fails, because what they name was deleted, or was archived where it is a workflow. */
const brokenOf = async (published: Document | undefined, find: FindMany): Promise<readonly BrokenStep[]> => {
  if (!published) return []
  const steps = [...walkTree<FrozenStep>(recordOf(version)(published).steps)].map(({ node }) => node)
  const active = steps.filter(({ type, settings }) => stateOf(type, settings) === 'active')
  const all = active.map(async (step) => {
    const lost = await lostSettings(step, find)
    return { step_id: step.id, settings: lost.map(({ setting }) => setting), ids: lost.flatMap(({ ids }) => ids) }
  })
  return (await Promise.all(all)).filter(({ settings }) => settings.length > 0)
}

/** Returns the memberships of a team: who has left it is notified no more. */
const ofTeam = (teamId: number | undefined, memberships: readonly Document[]): readonly Document[] =>
  memberships.filter(({ team_id }) => team_id === teamId)

/** Shows the steps of a workflow that fail for everybody. */
export const brokenSteps = async ({ version_id, team_id }: RecordOf<typeof workflow>, load: Loader): Promise<Json> => {
  const published = version_id === null ? undefined : await load.one(version.name, version_id)
  const members = async (id: number) => load.where('membership', 'user_id', id)
  const broken = await brokenOf(published, async (kind, ids) =>
    kind === 'user' ? ofTeam(team_id, (await Promise.all(ids.map(members))).flat()) : load.many(kind, ids),
  )
  return broken.map(({ step_id, settings }) => ({ step_id, settings }))
}

/** Finds the steps of a workflow that fail for everybody. A record that is merely hidden has not gone, so it reads everywhere. */
export const findBrokenSteps = async (
  { version_id, team_id }: RecordOf<typeof workflow>,
  { everywhere: documents }: FactReader,
): Promise<readonly BrokenStep[]> => {
  const published = version_id === null ? undefined : await documents.get(version.name, version_id)
  return brokenOf(published, async (kind, ids) =>
    kind === 'user'
      ? ofTeam(team_id, await documents.find('membership', { where: { user_id: { $in: [...ids] } } }))
      : (await documents.getMany(kind, ids)).filter((found) => found !== undefined),
  )
}
