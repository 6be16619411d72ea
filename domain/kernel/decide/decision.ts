import type { Model, RecordOf } from '../model/model.ts'
import type { DomainEvent, JsonObject } from '../values/event.ts'
import { Refusal, refuse } from '../values/refusal.ts'
import type { Decision } from './command.ts'
import { DROP_REFERENCE, decideDrop } from './drop-reference.ts'
import type { ActContext, DecisionContext, RecordCommand } from './rules.ts'
import type { StreamMembers } from './stream-members.ts'
import { RecordsOfStream, type StreamMember, type StreamState } from './stream-state.ts'

/** Context of a decision that is under way. Each rule sees the changes of the rules before it. */
type MutableContext = { -readonly [name in keyof DecisionContext]: DecisionContext[name] }

/** Tells whether a command creates a record. */
const isBirth = ({ rules }: StreamMember, type: string): boolean =>
  type === 'create' || (rules.births !== undefined && Object.hasOwn(rules.births, type))

/** Returns the act that a command asks for. `save` begins a record of which there is one, or changes it: which, only its stream can tell. */
const actOf = ({ type }: RecordCommand, { began }: StreamState): string =>
  type === 'save' ? (began ? 'change' : 'create') : type

/** Returns the context of a decision as it is before any rule has run. */
export const contextOf = (member: StreamMember, state: StreamState, command: RecordCommand): MutableContext => {
  const { id, workspaceId = 0, wanted, ids = [], at, actor } = command
  const type = actOf(command, state)
  const document = state.documents[member.model.name]?.get(id)
  const before = document && member.open(document)
  let after: JsonObject = before ?? member.blank
  if (type === 'change' || isBirth(member, type)) {
    const values: Record<string, unknown> = { ...after }
    for (const name in wanted)
      if (member.assignable.has(name) && wanted[name] !== undefined) values[name] = wanted[name]
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

type SaveResult = { readonly after: JsonObject; readonly extraEvents: readonly DomainEvent[] }

/** Runs the rules on the requested attributes. Returns the final attributes and the events that rules have added, or a refusal. */
const applySaveRules = ({ rules }: StreamMember, context: MutableContext, facts: unknown): SaveResult | Refusal => {
  const extraEvents: DomainEvent[] = []
  for (const rule of rules.births?.[context.act] ?? rules.save ?? []) {
    const result = rule(context, facts)
    if (result === undefined) continue
    if (result instanceof Refusal) return result
    if (Array.isArray(result)) extraEvents.push(...(result as readonly DomainEvent[]))
    // `contextOf` has copied these attributes, so they can be changed in place.
    else Object.assign(context.after, result)
  }
  return { after: context.after as JsonObject, extraEvents }
}

const create = (member: StreamMember, context: MutableContext, facts: unknown, as: string | undefined) => {
  if (member.rules.create && context.act === 'create') return member.rules.create(context, facts)
  const saved = applySaveRules(member, context, facts)
  if (saved instanceof Refusal) return saved
  const events = member.derived.creation({ id: context.id, after: saved.after, workspaceId: context.workspaceId, as })
  return events instanceof Refusal ? events : [...events, ...saved.extraEvents]
}

const change = (member: StreamMember, context: MutableContext & ActContext<Model>, facts: unknown) => {
  if (member.rules.change) return member.rules.change(context, facts)
  const saved = applySaveRules(member, context, facts)
  if (saved instanceof Refusal) return saved
  return [...member.derived.change(context.before as unknown as JsonObject, saved.after), ...saved.extraEvents]
}

const remove = (member: StreamMember, context: ActContext<Model>, facts: unknown) => {
  const refusal = member.rules.preventRemoval?.(context, facts)
  if (refusal) return refusal
  if (member.rules.remove) return member.rules.remove(context, facts)
  const ids = Object.values(member.model.children).flatMap(({ keys, model }): [string, number[]][] =>
    keys === undefined ? [] : [[keys, context.records.all(model).map(({ id }) => id)]],
  )
  return member.derived.ending(context.id, Object.fromEntries(ids))
}

/** Tells whether a record accepts commands. */
export const isLive = ({ model }: StreamMember, record: RecordOf<Model>): boolean => model.isLive?.(record) ?? true

/** Tells whether the parent of children exists and accepts commands. */
const isRootLive = (root: StreamMember, { documents }: StreamState): boolean => {
  const [document] = documents[root.model.name]?.values() ?? []
  return document !== undefined && isLive(root, root.open(document))
}

/** Returns the context with its record. @throws {Error} when there is none */
const existing = (context: MutableContext): ActContext<Model> => {
  const { before } = context
  if (!before) throw new Error('there is no such record')
  return { ...context, before }
}

/** Returns the function that decides on commands, by the rules of the record that a command is for. It throws an Error for an unknown act. */
export const decideOn =
  (members: StreamMembers) =>
  (state: StreamState, command: RecordCommand, facts: unknown): Decision => {
    const [root, member] = [members.root, members.of(command)]
    if (command.type === DROP_REFERENCE)
      return decideDrop(member, state, command, (id) => existing(contextOf(member, state, { ...command, id })))
    if (member !== root && !isRootLive(root, state)) return refuse.notFound()
    const context = contextOf(member, state, command)
    const type = context.act
    if (isBirth(member, type)) {
      const exists = member === root ? state.began : context.before !== undefined
      return exists ? [] : create(member, context, facts, command.as)
    }
    const { before } = context
    const isAllowed = before && (isLive(member, before) || member.rules.allowedAfterEnd?.includes(type))
    if (!isAllowed) return refuse.notFound()
    const actContext = { ...context, before }
    if (type === 'change') return change(member, actContext, facts)
    if (type === 'remove') return remove(member, actContext, facts)
    const act = member.rules.acts?.[type]
    if (!act) throw new Error(`${member.model.name} knows no ${type}`)
    return act(actContext, facts)
  }
