import { decider } from '../kernel/decide/decider.ts'
import { foldOf } from '../kernel/model/fold.ts'
import { model } from '../kernel/model/model.ts'
import type { Resource } from './resource.ts'

type ReadOnlySpec = Pick<Resource, 'name' | 'title' | 'root' | 'category' | 'under' | 'view' | 'operations'> &
  Partial<Resource>

/** A resource without records of its own: what it shows follows from elsewhere, by reads and calls. */
export const readOnly = (spec: ReadOnlySpec): Resource => {
  const nothing = model(spec.name, { attributes: {}, events: {} })
  return { aggregate: decider(nothing), documents: { version: 1, fold: foldOf(nothing) }, ...spec }
}
