import { type Decider, decider } from '../kernel/decide/decider.ts'
import type { RecordInputs } from '../kernel/decide/rules.ts'
import type { FieldTable } from '../kernel/model/field.ts'
import { type Declared, type Entries, type Model, type ModelSpec, model } from '../kernel/model/model.ts'
import type { Resource } from './resource.ts'
import { type ServeSpec, serve } from './serve.ts'

/** The model of a plain resource. */
type Plain<Name extends string, A extends FieldTable, S extends Entries> = Declared<
  Name,
  A,
  S,
  Name,
  never,
  Record<never, never>,
  never
>

/** A plain resource: operations over one table of attributes, each record in a stream of its own, and no rules beyond the table. */
export type RecordSpec<Name extends string, A extends FieldTable, S extends Entries> = {
  readonly name: Name
} & ModelSpec<A, S, Name, never, Record<never, never>, never> &
  ServeSpec<Plain<Name, A, S>, Record<never, never>>

/** A plain resource, with what others need to act on it. */
export interface PlainRecord<M extends Model = Model> extends Resource {
  readonly aggregate: Decider<RecordInputs<M>>
  readonly model: M
}

/** A plain resource from its declaration. What has a rule of its own is a model with rules (see serve.ts). */
export const record = <const Name extends string, const A extends FieldTable, const S extends Entries>(
  spec: RecordSpec<Name, A, S>,
): PlainRecord<Plain<Name, A, S>> => {
  const own: Plain<Name, A, S> = model<Name, A, S, Name, never, Record<never, never>, never>(spec.name, spec)
  const aggregate = decider(own)
  const asAny: Decider = aggregate
  return { ...serve(own, asAny, spec), aggregate, model: own }
}
