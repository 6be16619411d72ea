import { type Decider, decider } from '../kernel/decide/decider.ts'
import type { RecordInputs } from '../kernel/decide/rules.ts'
import type { FieldTable } from '../kernel/model/field.ts'
import { type DeclaredModel, type Entries, type Model, type ModelSpec, model } from '../kernel/model/model.ts'
import type { Resource } from './resource.ts'
import { type ServeSpec, serve } from './serve.ts'

/** Model of a plain resource. */
type PlainModel<Name extends string, A extends FieldTable, S extends Entries> = DeclaredModel<
  Name,
  A,
  S,
  Name,
  never,
  Record<never, never>,
  never
>

/** Declaration of a plain resource: one table of attributes without further rules, and each record in a stream of its own. */
export type RecordSpec<Name extends string, A extends FieldTable, S extends Entries> = {
  readonly name: Name
} & ModelSpec<A, S, Name, never, Record<never, never>, never> &
  ServeSpec<PlainModel<Name, A, S>, Record<never, never>>

/** A plain resource, with its model and with the decider that commands for it need. */
export interface PlainRecord<M extends Model = Model> extends Resource {
  readonly aggregate: Decider<RecordInputs<M>>
  readonly model: M
}

/** Builds a plain resource from its declaration. A resource with rules of its own needs a model and `serve` instead. */
export const record = <const Name extends string, const A extends FieldTable, const S extends Entries>(
  spec: RecordSpec<Name, A, S>,
): PlainRecord<PlainModel<Name, A, S>> => {
  const built: PlainModel<Name, A, S> = model<Name, A, S, Name, never, Record<never, never>, never>(spec.name, spec)
  const aggregate = decider(built)
  const untyped: Decider = aggregate
  return { ...serve(built, untyped, spec), aggregate, model: built }
}
