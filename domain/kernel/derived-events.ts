import type { DomainEvent, Json, JsonObject } from './event.ts'
import { initialOf } from './field.ts'
import { assignedBy, nobodyOf } from './fold.ts'
import type { Child, EventSpec, Model } from './model.ts'
import { nextOf } from './numbers.ts'
import { humanize } from './parse.ts'
import { PERSONAL } from './personal.ts'
import { type Refusal, refuse } from './refusal.ts'

/** Whether two values of an attribute are told apart by a client. */
export const differs = (a: Json | undefined, b: Json | undefined): boolean =>
  a !== b && JSON.stringify(a ?? null) !== JSON.stringify(b ?? null)

/** The events that an assignment of attributes comes to, from the event table of a model. Values are flat: personal ones among the others. */
export interface DerivedEvents {
  /** The birth of a record, followed by what its first event does not say; or which required attribute it lacks. */
  born(asked: Born): readonly DomainEvent[] | Refusal
  changed(before: JsonObject, after: JsonObject): readonly DomainEvent[]
  gone(id: number, children: JsonObject): readonly DomainEvent[]
}

/** A record that is to begin. */
export interface Born {
  readonly id: number
  /** The attributes that it is to have. */
  readonly after: JsonObject
  readonly workspaceId: number
  /** The event that it begins with, where there are several. */
  readonly as: string | undefined
}

type Entry = readonly [type: string, spec: EventSpec]

const onlyConstants = ({ to, sets, changes }: EventSpec): boolean => to !== undefined && !sets && !changes

/** The events of a model, or of the children of another. */
export const derivedEventsOf = (model: Model, child?: Child): DerivedEvents => {
  const all: readonly Entry[] = Object.entries<EventSpec>(model.events)
  const births = all.filter(([, { born }]) => born)
  const end = all.find(([, { gone }]) => gone)
  const assignments = all.filter(([, { born, gone, sets, changes, to }]) => !born && !gone && (sets || changes || to))
  const nobody = Object.keys(nobodyOf(model))
  const names = Object.keys(model.attributes)
  const counted = names.filter((name) => model.attributes[name]?.counted)
  const key = (id: unknown): JsonObject => (child ? { [child.key]: id as number } : {})

  const dataOf = (wanted: readonly string[], after: JsonObject): JsonObject => {
    const data: Record<string, Json | undefined> = {}
    for (const name of wanted) if (!model.attributes[name]?.personal) data[name] = after[name] ?? null
    if (wanted.some((name) => model.attributes[name]?.personal)) {
      data[PERSONAL] = Object.fromEntries(nobody.map((name) => [name, after[name] ?? null]))
    }
    return data
  }
  const told = ({ tells }: EventSpec, before: JsonObject, after: JsonObject, wanted: readonly string[]): JsonObject =>
    tells?.(
      before as never,
      after as never,
      wanted.filter((name) => differs(before[name], after[name])),
    ) ?? {}

  const changed: DerivedEvents['changed'] = (before, after) => {
    const open = new Set(names.filter((name) => differs(before[name], after[name])))
    if (open.size === 0) return []
    // What is personal goes along to another person.
    if (model.person !== undefined && open.has(model.person)) for (const name of nobody) open.add(name)
    const chosen = new Map<string, DomainEvent>()
    const choose = ([type, spec]: Entry, wanted: readonly string[]) => {
      chosen.set(type, {
        type,
        data: { ...key(before.id), ...dataOf(wanted, after), ...told(spec, before, after, wanted) },
      })
      for (const name of [...wanted, ...Object.keys(spec.to ?? {})]) open.delete(name)
    }
    for (const entry of assignments) {
      const constants = Object.entries(entry[1].to ?? {})
      if (!onlyConstants(entry[1]) || !constants.some(([name]) => open.has(name))) continue
      if (constants.every(([name, value]) => !differs(after[name], value))) choose(entry, [])
    }
    for (const entry of assignments) {
      const sets = entry[1].sets ? assignedBy(model, entry[1]) : []
      if (sets.some((name) => open.has(name))) choose(entry, sets)
    }
    for (const entry of assignments) {
      const rest = entry[1].changes ? assignedBy(model, entry[1]).filter((name) => open.has(name)) : []
      if (rest.length > 0) choose(entry, rest)
    }
    if (open.size > 0) throw new Error(`no event of ${model.name} changes ${[...open].join(', ')}`)
    return assignments.flatMap(([type]) => chosen.get(type) ?? [])
  }

  return {
    changed,
    born({ id, after: wanted, workspaceId, as }) {
      const numbers = counted.map((name) => [name, nextOf(`${model.name}.${name}:${workspaceId}`)])
      const after = { ...wanted, ...Object.fromEntries(numbers) }
      const entry = as === undefined ? births[0] : births.find(([type]) => type === as)
      if (!entry) throw new Error(`${model.name} does not begin with ${as ?? 'any event'}`)
      const [type, spec] = entry
      const assigned = assignedBy(model, spec)
      const lacking = assigned.find((name) => model.attributes[name]?.required && (after[name] ?? null) === null)
      if (lacking !== undefined) return refuse.invalid(`${humanize(lacking)} can't be blank`, lacking, 'blank')
      const held: Record<string, Json | undefined> = { id }
      for (const name of names) held[name] = initialOf(model.attributes[name])
      for (const name of assigned) held[name] = after[name]
      Object.assign(held, spec.to)
      const settled = { ...after, ...spec.to }
      const birth = { type, data: { ...key(id), ...dataOf(assigned, after), ...told(spec, held, after, assigned) } }
      return [birth, ...changed(held, settled)]
    },
    gone(id, children) {
      if (!end) throw new Error(`${model.name} does not end with any event`)
      return [{ type: end[0], data: { ...key(id), ...children } }]
    },
  }
}
