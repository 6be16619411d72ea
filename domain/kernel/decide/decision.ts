import type { Model, RecordOf } from '../model/model.ts'
import type { DomainEvent, JsonObject } from '../values/event.ts'
import { Refusal, refuse } from '../values/refusal.ts'
import type { Decision } from './command.ts'
import type { ActContext, DecisionContext, RecordCommand } from './rules.ts'
import type { StreamMembers } from './stream-members.ts'
import { RecordsOfStream, type StreamMember, type StreamState } from './stream-state.ts'

/** What is asked, while it is being settled: rules see it as it is by then. */
type MutableContext = { -readonly [name in keyof DecisionContext]: DecisionContext[name] }

/** Whether a command begins a record. */
const isBirth = ({ rules }: StreamMember, type: string): boolean =>
  type === 'create' || (rules.births !== undefined && Object.hasOwn(rules.births, type))

/** What rules see of a command, before any has run. */
export const contextOf = (place: StreamMember, state: StreamState, command: RecordCommand): MutableContext => {
  const { type, id, workspaceId = 0, wanted, ids = [], at, actor } = command
  const document = state.documents[place.model.name]?.get(id)
  const before = document && place.open(document)
  let after: JsonObject = before ?? place.blank
  if (type === 'change' || isBirth(place, type)) {
    const values: Record<string, unknown> = { ...after }
    for (const name in wanted) if (place.assignable.has(name) && wanted[name] !== undefined) values[name] = wanted[name]
    after = values as JsonObject
  }
  return {
    act: type,
    id,
    workspaceId,
    at,
    actor,
    before,
    wanted: wanted as DecisionContext['wanted'],
    after: after as DecisionContext['after'],
    ids,
    records: new RecordsOfStream(state),
  }
}

type SettledAttributes = { readonly after: JsonObject; readonly besides: readonly DomainEvent[] }

/** What the rules make of the attributes that are wanted. */
const applySaveRules = (
  { rules }: StreamMember,
  asking: MutableContext,
  facts: unknown,
): SettledAttributes | Refusal => {
  const besides: DomainEvent[] = []
  for (const rule of rules.births?.[asking.act] ?? rules.save ?? []) {
    const ruling = rule(asking, facts)
    if (ruling === undefined) continue
    if (ruling instanceof Refusal) return ruling
    if (Array.isArray(ruling)) besides.push(...(ruling as readonly DomainEvent[]))
    // What is asked has attributes of its own to change: they were copied for it.
    else Object.assign(asking.after, ruling)
  }
  return { after: asking.after as JsonObject, besides }
}

const create = (place: StreamMember, asked: MutableContext, facts: unknown, as: string | undefined) => {
  if (place.rules.create && asked.act === 'create') return place.rules.create(asked, facts)
  const settled = applySaveRules(place, asked, facts)
  if (settled instanceof Refusal) return settled
  const birth = place.derived.creation({ id: asked.id, after: settled.after, workspaceId: asked.workspaceId, as })
  return birth instanceof Refusal ? birth : [...birth, ...settled.besides]
}

const change = (place: StreamMember, asked: MutableContext & ActContext<Model>, facts: unknown) => {
  if (place.rules.change) return place.rules.change(asked, facts)
  const settled = applySaveRules(place, asked, facts)
  if (settled instanceof Refusal) return settled
  return [...place.derived.change(asked.before as unknown as JsonObject, settled.after), ...settled.besides]
}

const remove = (place: StreamMember, asked: ActContext<Model>, facts: unknown) => {
  const refusal = place.rules.preventRemoval?.(asked, facts)
  if (refusal) return refusal
  if (place.rules.remove) return place.rules.remove(asked, facts)
  const ids = Object.values(place.model.children).flatMap(({ keys, model }): [string, number[]][] =>
    keys === undefined ? [] : [[keys, asked.records.all(model).map(({ id }) => id)]],
  )
  return place.derived.ending(asked.id, Object.fromEntries(ids))
}

/** Whether a record takes commands. */
export const isLive = ({ model }: StreamMember, record: RecordOf<Model>): boolean => model.isLive?.(record) ?? true

/** Whether the record that children belong to is there, and takes commands. */
const isRootLive = (root: StreamMember, { documents }: StreamState): boolean => {
  const [top] = documents[root.model.name]?.values() ?? []
  return top !== undefined && isLive(root, root.open(top))
}

/** The decision on a command, by the rules of the record that it is for. */
export const decideOn =
  (places: StreamMembers) =>
  (state: StreamState, command: RecordCommand, facts: unknown): Decision => {
    const [root, place] = [places.root, places.of(command)]
    if (place !== root && !isRootLive(root, state)) return refuse.notFound()
    const asked = contextOf(place, state, command)
    if (isBirth(place, command.type)) {
      const begun = place === root ? state.began : asked.before !== undefined
      return begun ? [] : create(place, asked, facts, command.as)
    }
    const { before } = asked
    const takes = before && (isLive(place, before) || place.rules.allowedAfterEnd?.includes(command.type))
    if (!takes) return refuse.notFound()
    const there = { ...asked, before }
    if (command.type === 'change') return change(place, there, facts)
    if (command.type === 'remove') return remove(place, there, facts)
    const act = place.rules.acts?.[command.type]
    if (!act) throw new Error(`${place.model.name} knows no ${command.type}`)
    return act(there, facts)
  }
