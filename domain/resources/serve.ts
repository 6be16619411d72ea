import type { Decider } from '../kernel/decide/decider.ts'
import type { ActInputs, RecordInputs } from '../kernel/decide/rules.ts'
import { DUE, type DueTimer, dueTimersOf } from '../kernel/model/due.ts'
import type { KnownEvent } from '../kernel/model/event-types.ts'
import { initialOf } from '../kernel/model/field.ts'
import { foldOf, recordOf } from '../kernel/model/fold.ts'
import type { Model, RecordOf } from '../kernel/model/model.ts'
import type { Index } from '../kernel/ports/read-models.ts'
import { type PublicationSpec, withAliases } from '../kernel/react/publication.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { prefixOf } from '../kernel/values/prefix.ts'
import type { Category } from '../kernel/values/scopes.ts'
import type { StoredFile } from './attributes/stored-file.ts'
import { declarationData } from './declaration-data.ts'
import type { Owner } from './owner.ts'
import type { Digest, Documents, Joined, Resource, Timers } from './resource.ts'
import { type ViewParts, viewOf } from './view.ts'
import type { Loader, View } from './view-types.ts'
import type { Declared, Served } from './writes.ts'

/** Declaration of how a model is served and what it publishes. */
export interface ServeSpec<M extends Model, Inputs = Readonly<Record<string, object>>> {
  readonly title: string
  readonly root: string
  readonly category: Category
  readonly under: Owner
  readonly goesWithOwner?: true
  readonly operations: Readonly<Record<string, Declared<Inputs>>>
  /** Fields of responses besides the attributes. */
  readonly view?: ViewParts<M>
  /** View in place of the one that follows from attributes and parts, where many fields are computed together. */
  readonly shows?: Omit<View, 'present'> & {
    present(record: RecordOf<M>, load: Loader, expand: ReadonlySet<string>): ReturnType<View['present']>
  }
  readonly missing?: string
  readonly publishes?: Readonly<Record<string, PublicationSpec<keyof M['events'] & string, KnownEvent<M>>>>
  /** Indexes in addition to those that lists need. */
  readonly indexes?: readonly Index[]
  /** Order in which its documents are written where a store cannot write a batch at once. */
  readonly written?: Documents['written']
  /** Attribute with the id of the person whose personal data the record shows, or `id`. */
  readonly person?: (keyof M['attributes'] & string) | 'id' | Owner['field']
  readonly reads?: readonly string[]
  readonly joined?: readonly Joined[]
  readonly ids?: Resource['ids']
  readonly subjectField?: keyof M['attributes'] & string
  /** Returns the file of a record, which is downloaded by a link. */
  file?(record: RecordOf<M>): StoredFile
}

const referencesOf = (model: Model, parent: Model): Readonly<Record<string, string>> => ({
  ...(model.owner !== undefined && { [model.owner]: parent.name }),
  ...Object.fromEntries(
    Object.entries(model.attributes).flatMap(([name, { refersTo }]) => (refersTo ? [[name, refersTo]] : [])),
  ),
})
const ownView = <M extends Model>(model: M, { present, ...view }: NonNullable<ServeSpec<M>['shows']>): View => {
  const open = recordOf(model)
  return { ...view, present: (document, load, expand) => present(open(document), load, expand) }
}

const fileOf = <M extends Model>(model: M, of: NonNullable<ServeSpec<M>['file']>): Resource['file'] => {
  const open = recordOf(model)
  return (document) => of(open(document))
}

const timersFor = (model: Model, role: string | undefined, { fires, events }: Decider): Timers => {
  const open = recordOf(model)
  const withAct = ({ name, due }: DueTimer) => ({ name, due, act: fires(model.name, name) })
  const movedBy = model.timers.every((timer) => timer.movedBy)
    ? model.timers.flatMap((timer) => timer.movedBy ?? [])
    : Object.keys(events)
  return {
    ...{ role, owner: model.owner, movedBy },
    of: (document) => dueTimersOf(model, open(document)).map(withAct),
    ...(model.isUnderWay && { isUnderWay: (document) => model.isUnderWay?.(open(document)) ?? false }),
  }
}

const dueIndex = { fields: [DUE.in], sort: DUE.at }

const digestsOf = ({ blindIndexes }: Model): Documents['digests'] => {
  const entries = Object.entries(blindIndexes)
  if (entries.length === 0) return undefined
  return (personal: JsonObject | null) =>
    Object.fromEntries(
      entries.map(([name, { attribute, purpose, letters, spelled }]): [string, Digest | null] => {
        const attributeValue = personal?.[attribute]
        const sent = typeof attributeValue === 'string' && attributeValue !== '' ? attributeValue : undefined
        const text = sent === undefined ? sent : (spelled?.(sent) ?? sent)
        const value = text === undefined || letters === undefined ? text : prefixOf(text, letters)
        return [name, value === undefined ? null : { purpose, value }]
      }),
    )
}

/** Inputs of the acts of a model's records, taken from the inputs of all models of its aggregate. */
export type InputsIn<Members, M extends Model> = unknown extends Members
  ? Readonly<Record<string, object>>
  : M['name'] extends keyof Members
    ? Members[M['name']]
    : RecordInputs<M>

/**
 * Builds a resource from a model, its rules and the declaration of how it is served.
 *
 * @param decider decider of the model itself, or of the parent whose child the model is
 * @throws {Error} if the model is neither the decider's own nor one of its children
 */
export const serve = <M extends Model, Members>(
  model: M,
  decider: Decider<ActInputs, Members>,
  spec: ServeSpec<NoInfer<M>, InputsIn<Members, M>>,
): Resource => {
  const parent: Model = decider.model
  const entry = Object.entries(parent.children).find(([, child]) => child.model === (model as Model))
  if (!entry && parent !== (model as Model)) throw new Error(`${parent.name} has no ${model.name}`)
  const child = entry?.[1]
  const { title, root, category, under, view, publishes, person, missing, reads, joined } = spec
  const { owner } = model as Model
  const hasTimers = model.timers.length > 0
  const fold = foldOf(model, child && { parent, child })
  const served: Served = {
    model,
    role: entry?.[0],
    root,
    ownedBy: under.field in model.attributes ? under.field : undefined,
  }
  const digests = digestsOf(model)
  return {
    name: model.name,
    title,
    root,
    category,
    under,
    ...(spec.goesWithOwner && { goesWithOwner: true }),
    aggregate: decider,
    documents: {
      version: model.version ?? 1,
      declared: declarationData(model, child && { parent, child }),
      attributes: Object.entries(model.attributes).map(
        ([name, field]) => `${name} ${JSON.stringify(initialOf(field))}`,
      ),
      fold,
      indexes: [
        ...(owner === undefined ? [] : [{ fields: [owner] }]),
        ...(hasTimers ? [dueIndex] : []),
        ...(spec.indexes ?? []),
      ],
      ...(spec.written && { written: spec.written }),
      ...(digests && { digests }),
      ...(owner !== undefined && { aggregateId: (document) => Number(document[owner]) }),
      ...(joined && { joined }),
    },
    ...(spec.ids !== undefined && { ids: spec.ids }),
    ...(spec.subjectField !== undefined && { subjectField: spec.subjectField }),
    refersTo: referencesOf(model, parent),
    view: spec.shows ? ownView(model, spec.shows) : viewOf(model, under.field, view),
    operations: Object.fromEntries(
      Object.entries(spec.operations).map(([id, declared]) => [
        id,
        typeof declared === 'function' ? declared(served) : declared,
      ]),
    ),
    ...(hasTimers && { timers: timersFor(model, entry?.[0], decider) }),
    ...(publishes && { publishes: withAliases(publishes as Readonly<Record<string, PublicationSpec>>) }),
    ...(person && { person: (document) => Number(document[person]) }),
    ...(missing !== undefined && { missing }),
    ...(reads && { reads }),
    ...(spec.file && { file: fileOf(model, spec.file) }),
  }
}
