import { Type } from 'typebox'
import { group, integer, list } from '../../kernel/model/fields.ts'
import { isJsonObject, type JsonObject } from '../../kernel/values/event.ts'
import type { Weights } from '../../resources/tree/tree.ts'
import { variantFor } from '../../resources/tree/variant.ts'
import type { StepSettings } from './effect.ts'
import { type SettingsProblem, stepType } from './step-type.ts'

const EVEN: Weights = [50, 50]

const flat = ({ variants }: JsonObject): JsonObject | SettingsProblem => {
  if (variants === undefined) return {}
  const weights = Array.isArray(variants) ? variants.map((one) => (isJsonObject(one) ? Number(one.weight) : 0)) : []
  const [first, second] = weights
  if (first === undefined || second === undefined || weights.length > 2)
    return { setting: 'variants', says: 'must have exactly 2 entries' }
  return first + second === 100 ? { weights } : { setting: 'variants', says: 'must have weights that sum to 100' }
}

const weightsOf = ({ weights }: StepSettings): Weights =>
  Array.isArray(weights) && weights.length === 2 ? [Number(weights[0]), Number(weights[1])] : EVEN

/** Chooses a branch by chance, which is the same for the same run. */
export const splitTest = stepType('split_test_step', {
  fields: { variants: list(group({ weight: integer({ required: true, min: 0, max: 100 }) }), { max: 10 }) },
  initial: { weights: EVEN },
  flat,
  shown: {
    schema: Type.Object({ variants: Type.Array(Type.Object({ weight: Type.Integer() })) }),
    of: (settings) => ({ variants: weightsOf(settings).map((weight) => ({ weight })) }),
  },
  neverBlank: true,
  does: {
    kind: 'splits',
    names: ['0', '1'],
    says: 'branch must be a variant index between 0 and 1.',
    weights: weightsOf,
    choose: (_, { id, settings }, run) => ({
      branch: variantFor({ id, weights: weightsOf(settings) }, String(run.id)),
    }),
  },
  rehearsalNote: 'Chosen by chance: another run may take the other branch',
})
