import { parseStream } from './decider.ts'
import type { DomainEvent, Json, JsonObject, RecordedEvent } from './event.ts'
import { type FieldTable, initialOf } from './field.ts'
import { attributesWhere, type Child, type EventSpec, type FoldedAt, type Model, type RecordOf } from './model.ts'
import { PERSONAL, PERSONAL_OF } from './personal.ts'
import type { Document } from './ports/read-models.ts'

/** How the records of one model follow from events: the same for decisions, documents, history and rebuilds (design 3). */
export interface Fold {
  /** Ids of the model's records that an event of a stream concerns. */
  touched(event: DomainEvent, streamId: number): readonly number[]
  /** The record after an event with personal data in the clear, without its frame; `undefined` when there is none (any more). */
  apply(before: JsonObject | undefined, event: RecordedEvent, id: number): JsonObject | undefined
}

type Step = (before: JsonObject | undefined, data: JsonObject, at: FoldedAt) => JsonObject | undefined

/** The personal attributes of a model, of nobody. */
export const nobodyOf = (model: Model): JsonObject =>
  Object.fromEntries(attributesWhere(model, ({ personal }) => personal).map((name) => [name, null]))

/** A record with its personal attributes among the others, as rules and views know it. */
export const recordOf = <M extends Model>(model: M): ((document: JsonObject) => RecordOf<M>) => {
  const nobody = nobodyOf(model)
  const flat: (document: JsonObject) => JsonObject =
    Object.keys(nobody).length === 0
      ? (document) => document
      : (document) => ({ ...document, ...nobody, ...(document[PERSONAL] as JsonObject | null) })
  return flat as (document: JsonObject) => RecordOf<M>
}

/** What a record holds of which nothing has been said. */
export const blankOf = (model: Model): JsonObject => {
  const { owner } = model
  const plain = attributesWhere(model, ({ personal }) => !personal)
  const values = Object.fromEntries(plain.map((name) => [name, initialOf(model.attributes[name])]))
  const hasPersonal = Object.values(model.attributes).some(({ personal }) => personal)
  return {
    ...(owner !== undefined && { [owner]: null }),
    ...values,
    ...(hasPersonal && {
      [PERSONAL]: null,
      ...Object.fromEntries(Object.keys(model.digests).map((name) => [name, null])),
    }),
  }
}

/** Attributes that the data of an event assign. */
export const assignedBy = (model: Model, spec: EventSpec): readonly string[] => {
  const { attributes } = model
  const { born, only, except = [], sets, changes } = spec
  const named = sets ?? only
  if (named) return named.flatMap((name) => (name === PERSONAL ? Object.keys(nobodyOf(model)) : name))
  return born || changes ? Object.keys(attributes).filter((name) => !except.includes(name)) : []
}

const assigning = (attributes: FieldTable, names: readonly string[]) => {
  const plain = names.filter((name) => !attributes[name]?.personal)
  const personal = plain.length < names.length
  return (into: Record<string, Json | undefined>, data: JsonObject): void => {
    for (const name of plain) if (data[name] !== undefined) into[name] = data[name]
    if (personal && data[PERSONAL] !== undefined) into[PERSONAL] = data[PERSONAL]
  }
}

const stepOf = (model: Model, spec: EventSpec): Step => {
  if (spec.gone) return () => undefined
  const blank = blankOf(model)
  const open = recordOf(model)
  const assign = assigning(model.attributes, assignedBy(model, spec))
  const { born, to, stamps, forgets, folds } = spec
  const { traces, derives } = model
  return (before, data, at) => {
    const changes: Record<string, Json | undefined> = {}
    assign(changes, data)
    if (to) Object.assign(changes, to)
    if (stamps) changes[stamps] = at.at
    if (changes[PERSONAL] && at.person !== at.id) changes[PERSONAL_OF] = at.person
    if (forgets) changes[PERSONAL] = null
    if (traces && changes[PERSONAL] !== undefined) Object.assign(changes, traces(open(changes)))
    if (folds) {
      const folded = folds(before as RecordOf<Model> | undefined, data, at)
      if (folded === null) return undefined
      Object.assign(changes, folded)
    }
    const begins = born || !before
    if (begins && model.owner !== undefined) changes[model.owner] = at.streamId
    const after = begins ? { ...blank, ...changes } : { ...before, ...changes }
    return derives ? { ...after, ...derives.of(after as RecordOf<Model>) } : after
  }
}

/** Steps for the events with which a parent ends, and its children with it. */
const endsWithParent = (parent: Model | undefined, child: Child | undefined) =>
  Object.entries(parent?.events ?? {})
    .filter(([, spec]) => spec.gone && child?.keys !== undefined)
    .map(([type]): [string, EventSpec] => [
      type,
      { gone: true, of: (data) => (data[child?.keys ?? ''] ?? []) as readonly number[] },
    ])

/**
 * The fold of a model.
 *
 * @param within the parent and the place in it, for a model of children
 */
export const foldOf = (model: Model, within?: { readonly parent: Model; readonly child: Child }): Fold => {
  const child = within?.child
  const specs = new Map<string, EventSpec>([
    ...endsWithParent(within?.parent, child),
    ...Object.entries<EventSpec>(model.events),
  ])
  const steps = new Map([...specs].map(([type, spec]) => [type, stepOf(model, spec)]))
  return {
    touched({ type, data }, streamId) {
      const spec = specs.get(type)
      if (!spec) return []
      if (spec.of) return spec.of(data, streamId)
      return [child ? Number(data[child.key]) : streamId]
    },
    apply(before, event, id) {
      const step = steps.get(event.type)
      if (!step) return before
      const streamId = parseStream(event.stream).id
      const person = event.metadata.of ?? streamId
      return step(before, event.data, { id, streamId, person, at: event.metadata.at })
    },
  }
}

/** What adds the frame of every record: ids, owner, times, and `rev`, the revision of the newest event in it. */
export const framed = (
  before: Document | undefined,
  after: JsonObject,
  { metadata: { at, team_id, workspace_id }, revision: rev }: Pick<RecordedEvent, 'metadata' | 'revision'>,
  id: number,
  publicId: (id: number) => string,
): Document => {
  if (before) return { ...after, id, updated_at: at, rev }
  const public_id = publicId(id)
  // Written out, and in this order, because it is the first document of most rebuilds: adding fields to a copy, or by
  // Object.assign, makes an object that V8 copies ten times slower from then on.
  return workspace_id === undefined
    ? { id, public_id, team_id, created_at: at, updated_at: at, rev, ...after }
    : { id, public_id, team_id, workspace_id, created_at: at, updated_at: at, rev, ...after }
}
