import type { Document } from '../ports/read-models.ts'
import { compilePicker } from '../values/compile-picker.ts'
import type { DomainEvent, FoldedEvent, Json, JsonObject } from '../values/event.ts'
import { parseStream } from '../values/stream-name.ts'
import { dueFields } from './due.ts'
import { initialOf } from './field.ts'
import { attributesWhere, type Child, type EventSpec, type FoldContext, type Model, type RecordOf } from './model.ts'
import { PERSONAL, PERSONAL_OF } from './personal.ts'

/** How the records of one model follow from events: the same for decisions, documents, history and rebuilds (design 3). */
export interface Fold {
  /** Ids of the model's records that an event of a stream concerns. */
  touched(event: DomainEvent, streamId: number): readonly number[]
  /**
   * The record after an event with personal data in the clear; `undefined` when there is none (any more).
   *
   * @param isOwn nobody else has the record from before: it is changed in place, which spares a copy
   */
  apply(
    before: Document | undefined,
    event: FoldedEvent,
    id: number,
    publicId: (id: number) => string,
    isOwn?: boolean,
  ): Document | undefined
}

type Draft = Record<string, Json | undefined>

/** Changes a draft as an event says; gives whether the record is still there. */
type Step = (draft: Draft, before: Document | undefined, data: JsonObject, at: FoldContext) => boolean

/** The personal attributes of a model, of nobody. */
export const nobodyOf = (model: Model): JsonObject =>
  Object.fromEntries(attributesWhere(model, ({ personal }) => personal).map((name) => [name, null]))

/** Adds the initial values of attributes that a record lacks because it is older than they are. */
const completing = ({ attributes }: Model): (<D extends JsonObject>(document: D) => D) => {
  const initial = Object.entries(attributes).flatMap(([name, field]): [string, Json][] =>
    field.personal || initialOf(field) === null ? [] : [[name, initialOf(field)]],
  )
  const added = Object.fromEntries(initial)
  return (document) => (initial.every(([name]) => document[name] !== undefined) ? document : { ...added, ...document })
}

const FRAME = ['id', 'public_id', 'team_id', 'workspace_id', 'created_at', 'updated_at', 'rev']

const opening = new WeakMap<Model, (document: JsonObject) => JsonObject>()

const openingOf = (model: Model): ((document: JsonObject) => JsonObject) => {
  const { attributes, owner } = model
  const complete = completing(model)
  if (!Object.values(attributes).some(({ personal }) => personal)) return complete
  const names = [...FRAME, ...(owner === undefined ? [] : [owner]), ...Object.keys(attributes)]
  const within = (name: string) => (attributes[name]?.personal ? { name, within: PERSONAL } : { name })
  const pick = compilePicker(names.map(within))
  return (document) => pick(complete(document))
}

/** A record with its personal attributes among the others, as rules and views know it. */
export const recordOf = <M extends Model>(model: M): ((document: JsonObject) => RecordOf<M>) => {
  const open = opening.get(model) ?? openingOf(model)
  opening.set(model, open)
  return open as (document: JsonObject) => RecordOf<M>
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
      ...Object.fromEntries(Object.keys(model.blindIndexes).map((name) => [name, null])),
    }),
  }
}

/** Attributes that the data of an event assign. */
export const assignedBy = (model: Model, spec: EventSpec): readonly string[] => {
  const { attributes } = model
  const { creates, only, except = [], sets, changes } = spec
  const named = sets ?? only
  if (named) return named.flatMap((name) => (name === PERSONAL ? Object.keys(nobodyOf(model)) : name))
  return creates || changes ? Object.keys(attributes).filter((name) => !except.includes(name)) : []
}

const stepOf = (model: Model, spec: EventSpec): Step => {
  const { constants, stamps, erasesPerson, evolve } = spec
  const { clearFlags, derives, timers, attributes } = model
  const names = assignedBy(model, spec)
  const plain = names.filter((name) => !attributes[name]?.personal)
  const bringsPersonal = plain.length < names.length
  const nobody = nobodyOf(model)
  return (draft, before, data, at) => {
    // First, since the draft may be the record from before.
    const folded = evolve?.(before as RecordOf<Model> | undefined, data, at)
    if (folded === null) return false
    for (const name of plain) if (data[name] !== undefined) draft[name] = data[name]
    if (constants) Object.assign(draft, constants)
    if (stamps) draft[stamps] = at.at
    const personal = erasesPerson ? null : bringsPersonal ? data[PERSONAL] : undefined
    if (personal !== undefined) {
      draft[PERSONAL] = personal
      if (personal && at.person !== at.id) draft[PERSONAL_OF] = at.person
      if (clearFlags)
        Object.assign(draft, clearFlags({ ...nobody, ...(personal as JsonObject | null) } as RecordOf<Model>))
    }
    if (folded) Object.assign(draft, folded)
    if (derives) Object.assign(draft, derives.of(draft as RecordOf<Model>))
    if (timers.length > 0) Object.assign(draft, dueFields(model, draft as JsonObject))
    return true
  }
}

/** Steps for the events with which a parent ends, and its children with it. */
const endsWithParent = (parent: Model | undefined, child: Child | undefined) =>
  Object.entries(parent?.events ?? {})
    .filter(([, spec]) => spec.ends && child?.keys !== undefined)
    .map(([type]): [string, EventSpec] => [
      type,
      { ends: true, of: (data) => (data[child?.keys ?? ''] ?? []) as readonly number[] },
    ])

/** Everything that a record has from the start, in one order, so that copying it later is quick. */
const templateOf = (model: Model): JsonObject => {
  const blank = blankOf(model)
  const nobody = { ...blank, ...nobodyOf(model) }
  return {
    ...blank,
    ...model.derives?.of(nobody as unknown as RecordOf<Model>),
    ...(model.timers.length > 0 && dueFields(model, nobody)),
  }
}

/**
 * The fold of a model: the one place that adds what every record has: ids, owner, times, and `rev`, the revision of the newest event in it.
 *
 * @param within the parent and the place in it, for a model of children
 */
export const foldOf = (model: Model, within?: { readonly parent: Model; readonly child: Child }): Fold => {
  const child = within?.child
  const { owner } = model
  const specs = new Map<string, EventSpec>([
    ...endsWithParent(within?.parent, child),
    ...Object.entries<EventSpec>(model.events),
  ])
  const steps = new Map([...specs].map(([type, spec]) => [type, { step: stepOf(model, spec), ...spec }]))
  const template = templateOf(model)
  const complete = completing(model)
  const begun = (id: number, publicId: (id: number) => string, { metadata }: FoldedEvent): Draft => {
    const { at, team_id, workspace_id } = metadata
    const [public_id, rev] = [publicId(id), 0]
    // Written out, and in this order, because it is the first document of most rebuilds: adding fields to a copy, or by
    // Object.assign, makes an object that V8 copies ten times slower from then on.
    return workspace_id === undefined
      ? { id, public_id, team_id, created_at: at, updated_at: at, rev, ...template }
      : { id, public_id, team_id, workspace_id, created_at: at, updated_at: at, rev, ...template }
  }
  return {
    touched({ type, data }, streamId) {
      const spec = specs.get(type)
      if (!spec) return []
      if (spec.of) return spec.of(data, streamId)
      return [child ? Number(data[child.key]) : streamId]
    },
    apply(found, event, id, publicId, isOwn = false) {
      const known = steps.get(event.type)
      if (!known) return found
      if (known.ends) return undefined
      const streamId = parseStream(event.stream).id
      const { at, of = streamId } = event.metadata
      const before = found && complete(found)
      const draft: Draft = !before ? begun(id, publicId, event) : isOwn ? before : { ...before }
      if (!before && owner !== undefined) draft[owner] = streamId
      if (!known.step(draft, before, event.data, { id, streamId, person: of, at })) return undefined
      draft.updated_at = at
      draft.rev = event.revision
      return draft as Document
    },
  }
}
