import type { Document } from '../../kernel/ports/read-models.ts'
import { idIn } from '../../kernel/values/ids.ts'
import type { MaybePromise } from '../../kernel/values/maybe-promise.ts'
import type { StepSettings } from '../steps/effect.ts'
import { type StepTypeName, stepTypeOf } from '../steps/index.ts'

/** A step, as far as it may have a record of its own. */
interface Step {
  readonly step_type: StepTypeName
  readonly settings: StepSettings
}

/** Revisions of the records that steps have of their own, by kind and id. */
export type OwnRevisions = ReadonlyMap<string, number>

/** Returns the record of its own that a step has, by kind and id. */
const ownOf = ({ step_type, settings }: Step): { readonly kind: string; readonly id: number } | undefined => {
  const { own, kinds } = stepTypeOf(step_type)
  const id = own && idIn(settings[own.setting])
  return own && typeof id === 'number' ? { kind: kinds[own.setting] ?? '', id } : undefined
}

/** Reads the revisions of the records that steps have of their own. An edit of one is published as one of its step is. */
export const ownRevisions = async (
  steps: readonly Step[],
  getMany: (kind: string, ids: readonly number[]) => MaybePromise<readonly (Document | undefined)[]>,
): Promise<OwnRevisions> => {
  const owned = steps.flatMap((one) => ownOf(one) ?? [])
  const revisions = new Map<string, number>()
  for (const kind of new Set(owned.map((one) => one.kind))) {
    const ids = [...new Set(owned.filter((one) => one.kind === kind).map(({ id }) => id))]
    for (const found of await getMany(kind, ids)) if (found) revisions.set(`${kind} ${found.id}`, Number(found.rev))
  }
  return revisions
}

/** Returns the revision of the record of its own that a step has. */
export const ownRevisionOf = (step: Step, revisions: OwnRevisions): number | undefined => {
  const own = ownOf(step)
  return own && revisions.get(`${own.kind} ${own.id}`)
}
