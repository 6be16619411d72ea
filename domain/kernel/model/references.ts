import type { JsonObject } from '../values/event.ts'
import type { Field, FieldTable, OnTargetEnd } from './field.ts'
import { assignedBy } from './fold.ts'
import type { Child, EventSpec, Model } from './model.ts'

/** Declaration of a reference that does not follow from an attribute alone. */
export interface ReferenceSpec {
  /** Model of the records that it names. */
  readonly to: string
  /** Types of the events that may set it. */
  readonly setBy: readonly string[]
  /** `unlink`: the record is a link, which is taken off. */
  readonly onTargetEnd: OnTargetEnd | 'unlink'
  /** Attribute of the parent with the ids of all linked records, by which links are found. */
  readonly heldIn?: string
}

/** Models of the records of one kind of stream: its root, or children of the root. */
export interface ModelInStream {
  readonly model: Model
  readonly root: Model
  readonly role: string | undefined
  readonly child: Child | undefined
}

/** A reference to records that can end, which is taken back when they do. */
export interface Reference extends ModelInStream {
  /** Field of the document that holds an id, or a list of ids. */
  readonly field: string
  readonly target: ModelInStream
  readonly setBy: readonly string[]
  /** Those of them whose data has the reference. The others show it in the document. */
  readonly inData: ReadonlySet<string>
  /** `clear`: a list loses the id, and another field becomes `null`. */
  readonly onTargetEnd: 'clear' | Exclude<ReferenceSpec['onTargetEnd'], 'keep'>
  readonly heldIn: string | undefined
}

/** Returns a model and those of its children. */
export const modelsIn = (root: Model): readonly ModelInStream[] => [
  { model: root, root, role: undefined, child: undefined },
  ...Object.entries(root.children).map(([role, child]) => ({ model: child.model, root, role, child })),
]

/** Returns the types of the events that end records of a model. */
export const endingEvents = ({ model, root, child }: ModelInStream): readonly string[] => {
  const own = Object.entries<EventSpec>(model.events).filter(([, { ends, endsOnly }]) => ends || endsOnly)
  const ofParent = child?.keys === undefined ? [] : Object.entries<EventSpec>(root.events).filter(([, one]) => one.ends)
  return [...new Set([...own, ...ofParent].map(([type]) => type))]
}

/** Returns the ids of the records of a model that an event of their stream ends. */
export const endedBy = (
  { model, child }: ModelInStream,
  { type, data }: { readonly type: string; readonly data: JsonObject },
  streamId: number,
): readonly number[] => {
  const spec: EventSpec | undefined = model.events[type]
  if (spec?.endsOnly) return spec.endsOnly(data, streamId)
  if (spec?.ends) return spec.of?.(data, streamId) ?? [child ? Number(data[child.key]) : streamId]
  return spec === undefined && child?.keys !== undefined ? ((data[child.keys] ?? []) as readonly number[]) : []
}

/** Returns the types of the events whose data assigns an attribute. */
const assigningEvents = (model: Model, name: string): readonly string[] =>
  Object.entries<EventSpec>(model.events).flatMap(([type, spec]) =>
    assignedBy(model, spec).includes(name) ? type : [],
  )

/** @throws {Error} for a reference inside of a group: nothing could find its holders or take it back */
const refuseNested = (name: string, inner: FieldTable | undefined, canEnd: (model: string) => boolean): void => {
  for (const [part, field] of Object.entries(inner ?? {})) {
    if (field.refersTo !== undefined && field.onTargetEnd !== 'keep' && canEnd(field.refersTo))
      throw new Error(`${name}.${part} refers to ${field.refersTo}, which can end: say so under references`)
    refuseNested(`${name}.${part}`, field.inner, canEnd)
  }
}

/** Returns what becomes of the reference in an attribute. @throws {Error} when that neither follows from the attribute nor is declared */
const consequence = (
  name: string,
  { onTargetEnd, required }: Field,
  isChanged: boolean,
): Reference['onTargetEnd'] | 'keep' => {
  if (onTargetEnd !== undefined) return onTargetEnd
  if (required)
    throw new Error(`${name} needs records that can end, and does not say what becomes of it then (onTargetEnd)`)
  if (!isChanged) throw new Error(`no event of its model changes ${name}, so that nothing can take it back`)
  return 'clear'
}

/**
 * Returns the references of these models to records that can end. Within one kind of stream they are those that say what becomes of them: otherwise the rules see
 * both ends.
 *
 * @throws {Error} for a reference of which neither its attribute nor its declaration says what becomes of it
 */
export const referencesOf = (roots: readonly Model[]): readonly Reference[] => {
  const all = roots.flatMap(modelsIn)
  const byName = new Map(all.map((one) => [one.model.name, one]))
  const targetOf = (
    holder: ModelInStream,
    to: string,
    onTargetEnd?: Field['onTargetEnd'],
  ): ModelInStream | undefined => {
    const target = byName.get(to)
    const isSeen = target?.root === holder.root && (typeof onTargetEnd !== 'object' || onTargetEnd.act === 'remove')
    return target && !isSeen && endingEvents(target).length > 0 ? target : undefined
  }
  return all.flatMap((holder): readonly Reference[] => {
    const { model, root } = holder
    const declared = model.references ?? {}
    const listed = new Set(
      modelsIn(root).flatMap((one) => Object.values(one.model.references ?? {}).map((r) => r.heldIn)),
    )
    const explicit = Object.entries(declared).flatMap(([field, { to, setBy, onTargetEnd, heldIn }]): Reference[] => {
      const target = targetOf(holder, to)
      if (!target || onTargetEnd === 'keep') return []
      const inData = new Set(assigningEvents(model, field))
      return [{ ...holder, field, target, setBy, inData, onTargetEnd, heldIn }]
    })
    const implied = Object.entries(model.attributes).flatMap(([field, attribute]): Reference[] => {
      const name = `${model.name}.${field}`
      refuseNested(name, attribute.inner, (to) => targetOf(holder, to) !== undefined)
      const target =
        attribute.refersTo === undefined ? undefined : targetOf(holder, attribute.refersTo, attribute.onTargetEnd)
      if (!target || field in declared || (model === root && listed.has(field))) return []
      const setBy = assigningEvents(model, field)
      const isChanged = setBy.some((type) => !model.events[type]?.creates)
      const onTargetEnd = consequence(name, attribute, isChanged)
      if (onTargetEnd === 'keep') return []
      return [{ ...holder, field, target, setBy, inData: new Set(setBy), onTargetEnd, heldIn: undefined }]
    })
    return [...explicit, ...implied]
  })
}
