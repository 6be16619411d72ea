import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { data } from '../../kernel/model/fields.ts'

/** A step that fails for everybody: its settings that name records which are gone, and the ids of these. */
export type BrokenStep = {
  readonly step_id: number
  readonly settings: readonly string[]
  readonly ids: readonly number[]
}

/** Steps that are remembered. A workflow has no more. */
const MOST = 500

/** Steps that fail for everybody of which the team has been told. */
export const toldBroken = {
  told_broken: managed(
    data<readonly BrokenStep[], { readonly initial: readonly [] }>(Type.Array(Type.Unknown()), { initial: [] }),
    { shown: 'never' },
  ),
} as const

type Told = { readonly told_broken: readonly BrokenStep[] }

/** Fold that remembers steps. Of one that is broken anew, the last counts. */
export const remembersBroken = {
  evolve: (before: Told | undefined, { broken }: { readonly broken: readonly BrokenStep[] }) => {
    const others = (before?.told_broken ?? []).filter(({ step_id }) => !broken.some((one) => one.step_id === step_id))
    return { told_broken: [...others, ...broken].slice(-MOST) }
  },
}

/** Tells whether the team was told that a step is broken for want of the same records. */
export const isTold = ({ step_id, ids }: BrokenStep, { told_broken }: Told): boolean => {
  const told = told_broken.find((one) => one.step_id === step_id)
  return told !== undefined && ids.every((id) => told.ids.includes(id))
}
