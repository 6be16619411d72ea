import { claimOn } from './claim-on.ts'
import type { Aggregate, ClaimWanted, FoldedEvent } from './decider.ts'
import { type DerivedEvents, derivedEventsOf } from './derived-events.ts'
import type { DomainEvent, JsonObject, RecordedEvent } from './event.ts'
import { blankOf, type Fold, foldOf, framed, recordOf } from './fold.ts'
import type { Child, Model, RecordOf } from './model.ts'
import { PERSONAL } from './personal.ts'
import type { Document } from './ports/read-models.ts'
import { Refusal, refuse } from './refusal.ts'
import { type AnyRules, type Asked, type AskedOf, type RecordCommand, readerOver, type StreamRecords } from './rules.ts'

/** The documents of the records of a stream, by model; see StreamRecords for how rules see them. */
export interface StreamState {
  readonly began: boolean
  readonly documents: Readonly<Record<string, ReadonlyMap<number, Document>>>
}

/** A model with its rules, and its children with theirs: an aggregate whose state is its records. */
export interface Decider<M extends Model = Model> extends Aggregate<StreamState, RecordCommand> {
  readonly model: M
}

interface DeciderSpec<M extends Model> {
  readonly rules?: AnyRules
  readonly children?: Readonly<Record<string, AnyRules>>
  /** What commands of former versions, by their names, are asked as today: the log keeps those that requests still have to carry out. */
  readonly formerly?: Readonly<Record<string, (command: JsonObject) => Pick<RecordCommand, 'type' | 'wanted' | 'ids'>>>
  /** Claims beside those of the models' unique attributes. */
  claims?(record: RecordOf<M>): readonly ClaimWanted[]
}

/** All that is known of one model of a stream. */
interface Place {
  readonly role: string | undefined
  readonly child: Child | undefined
  readonly model: Model
  readonly rules: AnyRules
  readonly fold: Fold
  readonly derived: DerivedEvents
  readonly blank: JsonObject
  readonly open: (document: JsonObject) => RecordOf<Model>
  /** Attributes that are taken over as they are sent. */
  readonly taken: readonly string[]
}

const placeOf = (parent: Model, role: string | undefined, rules: AnyRules): Place => {
  const child = role === undefined ? undefined : parent.children[role]
  const model = child?.model ?? parent
  return {
    role,
    child,
    model,
    rules,
    fold: foldOf(model, child && { parent, child }),
    derived: derivedEventsOf(model, child),
    blank: recordOf(model)(blankOf(model)) as unknown as JsonObject,
    open: recordOf(model),
    taken: Object.keys(model.attributes).filter((name) => model.attributes[name]?.role !== 'asked'),
  }
}

const EMPTY: StreamState = { began: false, documents: {} }
const NONE: ReadonlyMap<number, Document> = new Map()

const recordsOf = ({ began, documents }: StreamState): StreamRecords => ({
  began,
  one: (model, id) => {
    const document = documents[model.name]?.get(id)
    return document && recordOf(model)(document)
  },
  root: (model) => {
    const [document] = documents[model.name]?.values() ?? []
    return document && recordOf(model)(document)
  },
  all: (model) => [...(documents[model.name]?.values() ?? [])].map(recordOf(model)),
})

const noPublicId = () => ''

/** The records after events, in copies of those collections alone that the events concern. */
const foldAll =
  (places: readonly Place[]) =>
  ({ began, documents: before }: StreamState, events: readonly FoldedEvent[]): StreamState => {
    const documents: Record<string, ReadonlyMap<number, Document>> = { ...before }
    const copied = new Map<string, Map<number, Document>>()
    for (const event of events) {
      const streamId = Number(event.stream.slice(event.stream.lastIndexOf('-') + 1))
      for (const { fold, model } of places) {
        for (const id of fold.touched(event, streamId)) {
          const records = copied.get(model.name) ?? new Map(documents[model.name])
          copied.set(model.name, records)
          documents[model.name] = records
          const held = records.get(id)
          const after = fold.apply(held, event as RecordedEvent, id)
          if (after) records.set(id, framed(held, after, event, id, noPublicId))
          else records.delete(id)
        }
      }
    }
    return { began: began || events.length > 0, documents }
  }

const askedOf = (place: Place, state: StreamState, command: RecordCommand): Asked => {
  const document = state.documents[place.model.name]?.get(command.id)
  const before = document && place.open(document)
  let after: Record<string, unknown> = before ?? place.blank
  if (command.type === 'create' || command.type === 'change') {
    after = { ...after }
    for (const name of place.taken) if (command.wanted[name] !== undefined) after[name] = command.wanted[name]
  }
  return {
    act: command.type,
    id: command.id,
    workspaceId: command.workspaceId ?? 0,
    at: command.at,
    actor: command.actor,
    before,
    wanted: command.wanted as Asked['wanted'],
    after: after as Asked['after'],
    ids: command.ids ?? [],
    records: recordsOf(state),
  }
}

type Settled = { readonly after: JsonObject; readonly besides: readonly DomainEvent[] }

/** What the rules make of the attributes that are wanted. */
const settle = ({ rules }: Place, asked: Asked, facts: unknown): Settled | Refusal => {
  let after = asked.after
  const besides: DomainEvent[] = []
  for (const rule of rules.save ?? []) {
    const ruling = rule({ ...asked, after }, facts)
    if (ruling === undefined) continue
    if (ruling instanceof Refusal) return ruling
    if (Array.isArray(ruling)) besides.push(...(ruling as readonly DomainEvent[]))
    else after = { ...after, ...(ruling as Asked['after']) }
  }
  return { after: after as JsonObject, besides }
}

const create = (place: Place, asked: Asked, facts: unknown, as: string | undefined) => {
  if (place.rules.create) return place.rules.create(asked, facts)
  const settled = settle(place, asked, facts)
  if (settled instanceof Refusal) return settled
  const birth = place.derived.born({ id: asked.id, after: settled.after, workspaceId: asked.workspaceId, as })
  return birth instanceof Refusal ? birth : [...birth, ...settled.besides]
}

const change = (place: Place, asked: AskedOf<Model>, facts: unknown) => {
  if (place.rules.change) return place.rules.change(asked, facts)
  const settled = settle(place, asked, facts)
  if (settled instanceof Refusal) return settled
  return [...place.derived.changed(asked.before as unknown as JsonObject, settled.after), ...settled.besides]
}

const remove = (place: Place, asked: AskedOf<Model>, facts: unknown) => {
  const refusal = place.rules.keeps?.(asked, facts)
  if (refusal) return refusal
  if (place.rules.remove) return place.rules.remove(asked, facts)
  const ids = Object.values(place.model.children).flatMap(({ keys, model }): [string, number[]][] =>
    keys === undefined ? [] : [[keys, asked.records.all(model).map(({ id }) => id)]],
  )
  return place.derived.gone(asked.id, Object.fromEntries(ids))
}

const isLive = ({ model }: Place, record: RecordOf<Model>): boolean => model.isLive?.(record) ?? true

const decideOn =
  (root: Place, children: ReadonlyMap<string, Place>) =>
  (state: StreamState, command: RecordCommand, facts: unknown): readonly DomainEvent[] | Refusal => {
    const place = command.child === undefined ? root : children.get(command.child)
    if (!place) throw new Error(`${root.model.name} has no ${command.child}`)
    const asked = askedOf(place, state, command)
    const ended = asked.before && !isLive(place, asked.before)
    if (
      place !== root &&
      ![...(state.documents[root.model.name]?.values() ?? [])].some((one) => isLive(root, root.open(one)))
    )
      return refuse.notFound()
    if (command.type === 'create') {
      const begun = place === root ? state.began : asked.before !== undefined
      return begun ? [] : create(place, asked, facts, command.as)
    }
    if (!asked.before || (ended && !place.rules.evenEnded?.includes(command.type))) return refuse.notFound()
    const there = asked as AskedOf<Model>
    if (command.type === 'change') return change(place, there, facts)
    if (command.type === 'remove') return remove(place, there, facts)
    const act = place.rules.acts?.[command.type]
    if (!act) throw new Error(`${place.model.name} knows no ${command.type}`)
    return act(there, facts)
  }

const claimsOf = (places: readonly Place[], own: DeciderSpec<Model>['claims']) => (state: StreamState) =>
  places.flatMap((place) =>
    [...(state.documents[place.model.name] ?? NONE).values()].flatMap((document) => {
      const record = place.open(document)
      if (!isLive(place, record)) return []
      const unique = place.model.unique.flatMap(
        (one) => claimOn(place.model, one, record as unknown as JsonObject, record.workspace_id) ?? [],
      )
      return place.role === undefined && own ? [...unique, ...own(record)] : unique
    }),
  )

/** The person of the record that an event with personal data concerns, by the attribute that its model says. */
const personIn =
  (places: readonly Place[]) =>
  (
    { documents }: StreamState,
    event: DomainEvent,
    streamId: number,
    write: readonly DomainEvent[],
  ): number | undefined => {
    const place = places.find(({ model }) => model.person !== undefined && event.type in model.events)
    if (!place || event.data[PERSONAL] === undefined) return undefined
    const [id = 0] = place.fold.touched(event, streamId)
    const name = place.model.person ?? ''
    const said = write.findLast(({ type, data }) => data[name] !== undefined && type in place.model.events)
    const person = said?.data[name] ?? documents[place.model.name]?.get(id)?.[name]
    if (typeof person !== 'number') throw new Error(`${event.type} of ${place.model.name} ${id} is personal to nobody`)
    return person
  }

const forward =
  (formerly: NonNullable<DeciderSpec<Model>['formerly']>) =>
  (command: RecordCommand & JsonObject, id: number): RecordCommand => {
    const former = formerly[command.type]
    return former ? { ...former(command), id, at: command.at, actor: command.actor } : command
  }

/** Versions of every type of event of a stream, whichever of its models names it. */
const versionsOf = (places: readonly Place[]) =>
  Object.fromEntries(
    places.flatMap(({ model }) => Object.entries(model.events).map(([type, { versions = [] }]) => [type, versions])),
  )

/**
 * A model with its rules: the aggregate of its streams (design 3, 4).
 *
 * @param spec rules of the model, and of its children by their place in it; those without have none
 */
export const decider = <M extends Model>(model: M, spec: DeciderSpec<M> = {}): Decider<M> => {
  const root = placeOf(model, undefined, spec.rules ?? {})
  const children = new Map(
    Object.keys(model.children).map((role) => [role, placeOf(model, role, spec.children?.[role] ?? {})]),
  )
  const places = [root, ...children.values()]
  const fold = foldAll(places)
  const hasNeeds = places.some(({ rules }) => rules.needs)
  return {
    name: model.name,
    model,
    initial: EMPTY,
    events: versionsOf(places),
    decide: decideOn(root, children),
    fold,
    evolve: () => {
      throw new Error('records are folded')
    },
    ...(places.some(({ model: { person } }) => person !== undefined) && { person: personIn(places) }),
    ...(spec.formerly && { bringForward: forward(spec.formerly) }),
    claims: claimsOf(places, spec.claims as DeciderSpec<Model>['claims']),
    ...(hasNeeds && {
      facts(command, read, state) {
        const place = command.child === undefined ? root : children.get(command.child)
        return place?.rules.needs?.(askedOf(place, state, command), readerOver(read))
      },
    }),
  }
}
