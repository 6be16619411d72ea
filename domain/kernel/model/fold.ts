import type { Document } from '../ports/read-models.ts'
import { compilePicker } from '../values/compile-picker.ts'
import type { DomainEvent, FoldedEvent, Json, JsonObject } from '../values/event.ts'
import { parseStream } from '../values/stream-name.ts'
import { dueFields } from './due.ts'
import { checkDerived, HEADER_FIELDS } from './engine-fields.ts'
import { initialOf } from './field.ts'
import { attributesWhere, type Child, type EventSpec, type FoldContext, type Model, type RecordOf } from './model.ts'
import { PERSON_FIELD, PERSONAL } from './personal.ts'

/** Folds events into the records of one model. Decisions, documents, history and rebuilds all use it. */
export interface Fold {
  /** Returns the ids of the model's records that an event of a stream concerns. */
  touched(event: DomainEvent, streamId: number): readonly number[]
  /**
   * Returns the record after an event whose personal data is in the clear; `undefined` when the record does not exist or has ended.
   *
   * @param isOwn the caller is the only holder of `before`: it is changed in place, which saves a copy
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

/** Applies the data of an event to a draft. Returns whether the record still exists. */
type Step = (draft: Draft, before: Document | undefined, data: JsonObject, at: FoldContext) => boolean

/** Returns the personal attributes of a model, each `null`, as they are once the person has been erased. */
export const emptyPersonalOf = (model: Model): JsonObject =>
  Object.fromEntries(attributesWhere(model, ({ personal }) => personal).map((name) => [name, null]))

/**
 * Returns a function that adds the initial values of attributes that were declared after a record was written. It replaces `null`, which earlier
 * versions stored where a client sent it, in the same way.
 */
const withInitialValues = ({ attributes }: Model): (<D extends JsonObject>(document: D) => D) => {
  const initial = Object.entries(attributes).flatMap(([name, field]) =>
    field.personal || initialOf(field) === null ? [] : [{ name, value: initialOf(field), orNull: field.nullable }],
  )
  const lacks = (document: JsonObject, { name, orNull }: { readonly name: string; readonly orNull: boolean }) =>
    document[name] === undefined || (orNull && document[name] === null)
  return (document) => {
    if (!initial.some((one) => lacks(document, one))) return document
    const missing = initial.filter((one) => lacks(document, one))
    return { ...document, ...Object.fromEntries(missing.map(({ name, value }) => [name, value])) }
  }
}

const openers = new WeakMap<Model, (document: JsonObject) => JsonObject>()

const compileOpener = (model: Model): ((document: JsonObject) => JsonObject) => {
  const { attributes, owner } = model
  const complete = withInitialValues(model)
  if (!Object.values(attributes).some(({ personal }) => personal)) return complete
  const names = [...HEADER_FIELDS, ...(owner === undefined ? [] : [owner]), ...Object.keys(attributes)]
  const source = (name: string) => (attributes[name]?.personal ? { name, within: PERSONAL } : { name })
  const pick = compilePicker(names.map(source))
  return (document) => pick(complete(document))
}

/** Returns a function that makes a record of a document: its personal attributes are among the others, as rules and views expect. */
export const recordOf = <M extends Model>(model: M): ((document: JsonObject) => RecordOf<M>) => {
  const open = openers.get(model) ?? compileOpener(model)
  openers.set(model, open)
  return open as (document: JsonObject) => RecordOf<M>
}

/** Returns the fields of a record to which no event has assigned anything yet. */
export const initialFieldsOf = (model: Model): JsonObject => {
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

/** Returns the names of the attributes that the data of an event assigns. */
export const assignedBy = (model: Model, spec: EventSpec): readonly string[] => {
  const { attributes } = model
  const { creates, only, except = [], sets, changes } = spec
  const named = sets ?? only
  if (named) return named.flatMap((name) => (name === PERSONAL ? Object.keys(emptyPersonalOf(model)) : name))
  return creates || changes ? Object.keys(attributes).filter((name) => !except.includes(name)) : []
}

const stepOf = (model: Model, spec: EventSpec): Step => {
  const { constants, stamps, erasesPerson, evolve, endsOnly } = spec
  const { clearFlags, derives, timers, attributes } = model
  const names = assignedBy(model, spec)
  const plain = names.filter((name) => !attributes[name]?.personal)
  const setsPersonal = plain.length < names.length
  const noPersonal = emptyPersonalOf(model)
  return (draft, before, data, at) => {
    if (endsOnly?.(data, at.streamId).includes(at.id)) return false
    // This comes first, because the draft may be the same object as `before`.
    const folded = evolve?.(before as RecordOf<Model> | undefined, data, at)
    if (folded === null) return false
    for (const name of plain) if (data[name] !== undefined) draft[name] = data[name]
    if (constants) Object.assign(draft, constants)
    if (stamps) draft[stamps] = at.at
    const personal = erasesPerson ? null : setsPersonal ? data[PERSONAL] : undefined
    if (personal !== undefined) {
      draft[PERSONAL] = personal
      if (personal && at.person !== at.id) draft[PERSON_FIELD] = at.person
      if (clearFlags)
        Object.assign(draft, clearFlags({ ...noPersonal, ...(personal as JsonObject | null) } as RecordOf<Model>))
    }
    if (folded) Object.assign(draft, folded)
    if (derives) Object.assign(draft, derives.of(draft as RecordOf<Model>))
    if (timers.length > 0) Object.assign(draft, dueFields(model, draft as JsonObject))
    return true
  }
}

/** Returns specs for the events that end a parent, and its children with it. */
const endsWithParent = (parent: Model | undefined, child: Child | undefined) =>
  Object.entries(parent?.events ?? {})
    .filter(([, spec]) => spec.ends && child?.keys !== undefined)
    .map(([type]): [string, EventSpec] => [
      type,
      { ends: true, of: (data) => (data[child?.keys ?? ''] ?? []) as readonly number[] },
    ])

/** Returns all fields that a record has from the start. All records share their order, which makes later copies fast. */
const templateOf = (model: Model): JsonObject => {
  const blank = initialFieldsOf(model)
  const record = { ...blank, ...emptyPersonalOf(model) }
  const derived = model.derives?.of(record as unknown as RecordOf<Model>) ?? {}
  checkDerived(model, derived)
  return {
    ...blank,
    ...derived,
    ...(model.timers.length > 0 && dueFields(model, record)),
  }
}

/**
 * Returns the fold of a model. No other code adds the record header: ids, owner, times, and `rev`, the revision of the newest event in the record.
 *
 * @param within parent and role in it, for a model of children
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
  const complete = withInitialValues(model)
  const newDraft = (id: number, publicId: (id: number) => string, { metadata }: FoldedEvent): Draft => {
    const { at, team_id, workspace_id } = metadata
    const [public_id, rev] = [publicId(id), 0]
    // Most documents of a rebuild are made here. The literals are written out, because V8 copies an object ten times slower
    // if its fields were added later or by Object.assign.
    if (team_id === undefined) return { id, public_id, created_at: at, updated_at: at, rev, ...template }
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
    apply(document, event, id, publicId, isOwn = false) {
      const entry = steps.get(event.type)
      if (!entry) return document
      if (entry.ends) return undefined
      const streamId = parseStream(event.stream).id
      const { at, of = streamId } = event.metadata
      const before = document && complete(document)
      const draft: Draft = !before ? newDraft(id, publicId, event) : isOwn ? before : { ...before }
      if (!before && owner !== undefined) draft[owner] = streamId
      if (!entry.step(draft, before, event.data, { id, streamId, person: of, at })) return undefined
      draft.updated_at = at
      draft.rev = event.revision
      return draft as Document
    },
  }
}
