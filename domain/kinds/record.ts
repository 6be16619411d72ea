import { type Decider, decider } from '../kernel/deciding.ts'
import type { FieldTable } from '../kernel/field.ts'
import { type Model, type ModelSpec, model } from '../kernel/model.ts'
import type { Resource } from './resource.ts'
import { type ServeSpec, serve } from './serve.ts'

/** A plain resource: operations over one table of attributes, each record in a stream of its own, and no rules beyond the table. */
export type RecordSpec<A extends FieldTable, E extends string> = { readonly name: string } & ModelSpec<A, E, never> &
  ServeSpec<Model<A, E, never>>

/** A plain resource, with what others need to act on it. */
export interface PlainRecord extends Resource {
  readonly aggregate: Decider
}

/** A plain resource from its declaration. What has a rule of its own is a model with rules (see serve.ts). */
export const record = <const A extends FieldTable, const E extends string>(spec: RecordSpec<A, E>): PlainRecord => {
  const own = model<A, E, never>(spec.name, spec)
  const aggregate = decider(own)
  return { ...serve(own, aggregate, spec), aggregate }
}
