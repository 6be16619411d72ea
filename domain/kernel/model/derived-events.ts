import { compilePicker } from '../values/compile-picker.ts'
import type { EventOf, Json, JsonObject } from '../values/event.ts'
import { type Refusal, refuse } from '../values/refusal.ts'
import { nextOf } from '../values/sequence-numbers.ts'
import { eventNamed } from './event-types.ts'
import { initialOf } from './field.ts'
import { assignedBy, nobodyOf } from './fold.ts'
import type { Child, EventSpec, Model } from './model.ts'
import { humanize } from './parse.ts'
import { PERSONAL } from './personal.ts'

/** Whether two values of an attribute are told apart by a client. */
export const differs = (a: Json | undefined, b: Json | undefined): boolean =>
  a !== b && JSON.stringify(a ?? null) !== JSON.stringify(b ?? null)

/** The events that an assignment of attributes comes to, from the event table of a model. Values are flat: personal ones among the others. */
export interface DerivedEvents<Stream extends string = string> {
  /** The birth of a record, followed by what its first event does not say; or which required attribute it lacks. */
  creation(asked: Creation): readonly EventOf<Stream>[] | Refusal
  change(before: JsonObject, after: JsonObject): readonly EventOf<Stream>[]
  ending(id: number, children: JsonObject): readonly EventOf<Stream>[]
}

/** A record that is to begin. */
export interface Creation {
  readonly id: number
  /** The attributes that it is to have. */
  readonly after: JsonObject
  readonly workspaceId: number
  /** The event that it begins with, where there are several. */
  readonly as: string | undefined
}

type Draft = Record<string, Json | undefined>

/** An event of a model, with what follows from its declaration. */
interface Entry {
  readonly type: string
  readonly spec: EventSpec
  /** Attributes that its data assign. */
  readonly assigned: readonly string[]
  /** Constants that it assigns. */
  readonly constants: readonly (readonly [name: string, value: Json | undefined])[]
  /** Attributes of a birth that it demands, and those of which it says nothing. */
  readonly required: readonly string[]
  readonly rest: readonly string[]
  /** Its data, out of the attributes as they are to be. */
  dataOf(after: JsonObject): Draft
}

const pickerOf = ({ attributes }: Model, assigned: readonly string[], nobody: readonly string[]): Entry['dataOf'] => {
  const plain = assigned.filter((name) => !attributes[name]?.personal)
  const pick = compilePicker(plain.map((name) => ({ name })))
  if (plain.length === assigned.length) return pick
  const personal = compilePicker(nobody.map((name) => ({ name })))
  return (after) => ({ ...pick(after), [PERSONAL]: personal(after) })
}

const entryOf =
  (model: Model, nobody: readonly string[]) =>
  ([type, spec]: readonly [string, EventSpec]): Entry => {
    const assigned = assignedBy(model, spec)
    const constants = Object.entries(spec.constants ?? {})
    const said = new Set([...assigned, ...constants.map(([name]) => name)])
    return {
      type,
      spec,
      assigned,
      constants,
      required: assigned.filter((name) => model.attributes[name]?.required),
      rest: Object.keys(model.attributes).filter((name) => !said.has(name)),
      dataOf: pickerOf(model, assigned, nobody),
    }
  }

const onlyConstants = ({ spec: { constants, sets, changes } }: Entry): boolean =>
  constants !== undefined && !sets && !changes

/** The events of a model, or of the children of another. */
export const derivedEventsOf = <M extends Model>(model: M, child?: Child): DerivedEvents<M['stream']> => {
  type Event = EventOf<M['stream']>
  const nobody = Object.keys(nobodyOf(model))
  const all = Object.entries<EventSpec>(model.events).map(entryOf(model, nobody))
  const births = all.filter(({ spec }) => spec.creates)
  const end = all.find(({ spec }) => spec.ends)
  const assignments = all.filter(
    ({ spec: { creates, ends, sets, changes, constants } }) => !creates && !ends && (sets || changes || constants),
  )
  const names = Object.keys(model.attributes)
  const initial = Object.fromEntries(names.map((name) => [name, initialOf(model.attributes[name])]))
  const counted = names.filter((name) => model.attributes[name]?.sequence)
  const numbersOf = (workspaceId: number) =>
    Object.fromEntries(counted.map((name) => [name, nextOf(`${model.name}.${name}:${workspaceId}`)]))

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
    const held = before()
    const differing = assigned.filter((name) => differs(held[name], after[name]))
    return eventNamed(model, type, { ...data, ...addsData(held as never, after as never, differing) })
  }

  /** Which events change what is open: those of constants alone first, then those of named attributes, then whatever has no event of its own. */
  const changing = (id: unknown, open: Set<string>, before: () => JsonObject, after: JsonObject): Event[] => {
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
      if (rest.length > 0) choose(entry, rest, pickerOf(model, rest, nobody)(after))
    }
    if (open.size > 0) throw new Error(`no event of ${model.name} changes ${[...open].join(', ')}`)
    return assignments.flatMap((entry) => chosen.get(entry) ?? [])
  }

  return {
    change(before, after) {
      const open = new Set(names.filter((name) => differs(before[name], after[name])))
      // What is personal goes along to another person.
      if (model.person !== undefined && open.has(model.person)) for (const name of nobody) open.add(name)
      return changing(before.id, open, () => before, after)
    },
    creation({ id, after: wanted, workspaceId, as }) {
      const birth = as === undefined ? births[0] : births.find(({ type }) => type === as)
      if (!birth) throw new Error(`${model.name} does not begin with ${as ?? 'any event'}`)
      const { assigned, required, rest, spec } = birth
      const after = counted.length === 0 ? wanted : { ...wanted, ...numbersOf(workspaceId) }
      const lacking = required.find((name) => (after[name] ?? null) === null)
      if (lacking !== undefined) return refuse.invalid(`${humanize(lacking)} can't be blank`, lacking, 'blank')
      const held = () => {
        const said = assigned.map((name): [string, Json | undefined] => [name, after[name]])
        return { id, ...initial, ...Object.fromEntries(said), ...spec.constants }
      }
      const open = new Set(rest.filter((name) => differs(initial[name], after[name])))
      const first = eventOf(birth, id, birth.dataOf(after), held, after, assigned)
      return [first, ...changing(id, open, held, spec.constants ? { ...after, ...spec.constants } : after)]
    },
    ending(id, children) {
      if (!end) throw new Error(`${model.name} does not end with any event`)
      return [eventNamed(model, end.type, child ? { [child.key]: id, ...children } : children)]
    },
  }
}
