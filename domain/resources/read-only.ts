import { decider } from '../kernel/decide/decider.ts'
import { foldOf } from '../kernel/model/fold.ts'
import { model } from '../kernel/model/model.ts'
import type { Resource } from './resource.ts'

type ReadOnlySpec = Pick<Resource, 'name' | 'title' | 'root' | 'category' | 'under' | 'view' | 'operations'> &
  Partial<Resource>

/** Builds a resource without records of its own. Its reads and actions get their data elsewhere. */
export const readOnly = (spec: ReadOnlySpec): Resource => {
  const emptyModel = model(spec.name, { attributes: {}, events: {} })
  return { aggregate: decider(emptyModel), documents: { version: 1, fold: foldOf(emptyModel) }, ...spec }
}
