import { compilePicker } from '../values/compile-picker.ts'
import type { EventOf, Json, JsonObject } from '../values/event.ts'
import { type Refusal, refuse } from '../values/refusal.ts'
import { numberPlaceholder, seriesOf, workspaceCounter } from '../values/sequence-numbers.ts'
import { eventNamed } from './event-types.ts'
import { initialOf } from './field.ts'
import { assignedBy, emptyPersonalOf } from './fold.ts'
import type { Child, EventSpec, Model } from './model.ts'
import { humanize } from './parse.ts'
import { PERSONAL } from './personal.ts'

/** Tells whether two values of an attribute differ in JSON. A missing value equals `null`. */
export const differs = (a: Json | undefined, b: Json | undefined): boolean => {
  if (a === b || (typeof a === 'string' && typeof b === 'string')) return a !== b
  return JSON.stringify(a ?? null) !== JSON.stringify(b ?? null)
}

/** Derives events from assigned attributes, by the event table of a model. Values are flat: personal attributes are among the others. */
export interface DerivedEvents<Stream extends string = string> {
  /** Returns the event that creates a record and events for what its data leaves out, or a refusal when a required attribute is missing. */
  creation(creation: Creation): readonly EventOf<Stream>[] | Refusal
  change(before: JsonObject, after: JsonObject): readonly EventOf<Stream>[]
  ending(id: number, children: JsonObject): readonly EventOf<Stream>[]
}

/** Input for the events that create a record. */
export interface Creation {
  readonly id: number
  /** The attributes that it will have. */
  readonly after: JsonObject
  readonly workspaceId: number
  /** Type of the event that creates it, if the model has several. Default: the first. */
  readonly as: string | undefined
}

type Draft = Record<string, Json | undefined>

/** One event type of a model, with facts that are derived from its declaration. */
interface Entry {
  readonly type: string
  readonly spec: EventSpec
  /** Attributes that its data assigns. */
  readonly assigned: readonly string[]
  /** Constants that it assigns. */
  readonly constants: readonly (readonly [name: string, value: Json | undefined])[]
  /** Assigned attributes that must have a value, for an event that creates. */
  readonly required: readonly string[]
  /** Attributes that the event does not assign. */
  readonly rest: readonly string[]
  /** Returns its data, taken from the attributes after the event. */
  dataOf(after: JsonObject): Draft
}

const pickerOf = (
  { attributes }: Model,
  assigned: readonly string[],
  personalNames: readonly string[],
): Entry['dataOf'] => {
  const plain = assigned.filter((name) => !attributes[name]?.personal)
  const pick = compilePicker(plain.map((name) => ({ name })))
  if (plain.length === assigned.length) return pick
  const personal = compilePicker(personalNames.map((name) => ({ name })))
  return (after) => ({ ...pick(after), [PERSONAL]: personal(after) })
}

const entryOf =
  (model: Model, personalNames: readonly string[]) =>
  ([type, spec]: readonly [string, EventSpec]): Entry => {
    const assigned = assignedBy(model, spec)
    const constants = Object.entries(spec.constants ?? {})
    const covered = new Set([...assigned, ...constants.map(([name]) => name)])
    return {
      type,
      spec,
      assigned,
      constants,
      required: assigned.filter((name) => model.attributes[name]?.required),
      rest: Object.keys(model.attributes).filter((name) => !covered.has(name)),
      dataOf: pickerOf(model, assigned, personalNames),
    }
  }

const onlyConstants = ({ spec: { constants, sets, changes } }: Entry): boolean =>
  constants !== undefined && !sets && !changes

/** Returns functions that make an event of a model, and choose the events that assign open attributes. */
const eventChooser = <M extends Model>(
  model: M,
  child: Child | undefined,
  all: readonly Entry[],
  personalNames: readonly string[],
) => {
  type Event = EventOf<M['stream']>
  const assignments = all.filter(
    ({ spec: { creates, ends, sets, changes, constants } }) => !creates && !ends && (sets || changes || constants),
  )

  const eventOf = (
    { type, spec: { addsData } }: Entry,
    id: unknown,
    data: Draft,
    before: () => JsonObject,
    after: JsonObject,
    assigned: readonly string[],
  ): Event => {
    if (child) data = { [child.key]: id as number, ...data }
    if (!addsData) return eventNamed(model, type, data)
    const record = before()
    const differing = assigned.filter((name) => differs(record[name], after[name]))
    return eventNamed(model, type, { ...data, ...addsData(record as never, after as never, differing) })
  }

  /**
   * Chooses the events that assign the open attributes: first events with constants alone, then events with named attributes, then events that
   * assign the rest. They are returned in the order of their declaration.
   */
  const eventsFor = (id: unknown, open: Set<string>, before: () => JsonObject, after: JsonObject): Event[] => {
    if (open.size === 0) return []
    const chosen = new Map<Entry, Event>()
    const choose = (entry: Entry, assigned: readonly string[], data: Draft) => {
      chosen.set(entry, eventOf(entry, id, data, before, after, assigned))
      for (const name of assigned) open.delete(name)
      for (const [name] of entry.constants) open.delete(name)
    }
    for (const entry of assignments) {
      const { constants } = entry
      if (!onlyConstants(entry) || !constants.some(([name]) => open.has(name))) continue
      if (constants.every(([name, value]) => !differs(after[name], value))) choose(entry, [], {})
    }
    for (const entry of assignments) {
      const { assigned, spec } = entry
      if (spec.sets && assigned.some((name) => open.has(name))) choose(entry, assigned, entry.dataOf(after))
    }
    for (const entry of assignments) {
      const rest = entry.spec.changes ? entry.assigned.filter((name) => open.has(name)) : []
      if (rest.length > 0) choose(entry, rest, pickerOf(model, rest, personalNames)(after))
    }
    if (open.size > 0) throw new Error(`no event of ${model.name} changes ${[...open].join(', ')}`)
    return assignments.flatMap((entry) => chosen.get(entry) ?? [])
  }

  return { eventOf, eventsFor }
}

/** Returns the event derivation for a model, which may be one of children. Throws an Error when the model lacks the event that is needed. */
export const derivedEventsOf = <M extends Model>(model: M, child?: Child): DerivedEvents<M['stream']> => {
  const personalNames = Object.keys(emptyPersonalOf(model))
  const all = Object.entries<EventSpec>(model.events).map(entryOf(model, personalNames))
  const births = all.filter(({ spec }) => spec.creates)
  const end = all.find(({ spec }) => spec.ends)
  const names = Object.keys(model.attributes)
  const initial = Object.fromEntries(names.map((name) => [name, initialOf(model.attributes[name])]))
  const sequences = names.filter((name) => model.attributes[name]?.sequence)
  const nextNumbers = (workspaceId: number, values: JsonObject) =>
    Object.fromEntries(
      sequences.map((name) => {
        const apart = model.attributes[name]?.sequence?.apart
        const isApart = apart !== undefined && values[apart] === true
        return [
          name,
          numberPlaceholder(
            workspaceCounter(seriesOf(`${model.name}.${name}`, isApart ? apart : undefined), workspaceId),
          ),
        ]
      }),
    )

  const { eventOf, eventsFor } = eventChooser(model, child, all, personalNames)

  return {
    change(before, after) {
      const open = new Set(names.filter((name) => differs(before[name], after[name])))
      // When the person changes, all personal attributes are assigned again, since they are sealed under the key of the new person.
      if (model.person !== undefined && open.has(model.person)) for (const name of personalNames) open.add(name)
      return eventsFor(before.id, open, () => before, after)
    },
    creation({ id, after: values, workspaceId, as }) {
      const birth = as === undefined ? births[0] : births.find(({ type }) => type === as)
      if (!birth) throw new Error(`${model.name} does not begin with ${as ?? 'any event'}`)
      const { assigned, required, rest, spec } = birth
      const after = sequences.length === 0 ? values : { ...values, ...nextNumbers(workspaceId, values) }
      const missing = required.find((name) => (after[name] ?? null) === null)
      if (missing !== undefined) return refuse.invalid(`${humanize(missing)} can't be blank`, missing, 'blank')
      const created = () => {
        const values = assigned.map((name): [string, Json | undefined] => [name, after[name]])
        return { id, ...initial, ...Object.fromEntries(values), ...spec.constants }
      }
      const open = new Set(rest.filter((name) => differs(initial[name], after[name])))
      const first = eventOf(birth, id, birth.dataOf(after), created, after, assigned)
      return [first, ...eventsFor(id, open, created, spec.constants ? { ...after, ...spec.constants } : after)]
    },
    ending(id, children) {
      if (!end) throw new Error(`${model.name} does not end with any event`)
      return [eventNamed(model, end.type, child ? { [child.key]: id, ...children } : children)]
    },
  }
}
