import type { Reference } from '../model/references.ts'
import type { DomainEvent, Json } from '../values/event.ts'
import { Refusal } from '../values/refusal.ts'
import type { Ask } from './ask.ts'
import type { Decision } from './command.ts'
import type { Decider } from './decider.ts'
import type { ActContext, RecordCommand } from './rules.ts'
import type { StreamMember, StreamState } from './stream-state.ts'

/** Command that takes references back from the records of one model in a stream, also from records that accept no other command. */
export const DROP_REFERENCE = 'dropReference'

/** Makes the command that takes the references to records that have ended back from a stream. */
export const dropReference = (
  aggregate: Decider,
  stream: number,
  { role, field }: Pick<Reference, 'role' | 'field'>,
  ended: readonly number[],
): Ask => ({
  aggregate,
  id: stream,
  command: { type: DROP_REFERENCE, ...(role !== undefined && { child: role }), wanted: { field, ended_ids: ended } },
})

const without = (value: Json | undefined, ended: readonly number[]): Json =>
  Array.isArray(value) ? value.filter((id) => !ended.includes(Number(id))) : null

/** Decides which events take the references back. None for a record that has given the reference up already. */
export const decideDrop = (
  { model, open, derived, rules }: StreamMember,
  { documents }: StreamState,
  command: RecordCommand,
  contextOf: (id: number) => ActContext<StreamMember['model']>,
): Decision => {
  const field = String(command.wanted.field)
  const ended = (command.wanted.ended_ids ?? []) as readonly number[]
  const isLink = model.references?.[field]?.onTargetEnd === 'unlink'
  const events: DomainEvent[] = []
  for (const [id, document] of documents[model.name] ?? []) {
    const held = document[field]
    if (!(Array.isArray(held) ? held : [held]).some((one) => ended.includes(Number(one)))) continue
    const before = open(document)
    const decision = isLink
      ? (rules.remove?.(contextOf(id), undefined) ?? derived.ending(id, {}))
      : derived.change({ ...before }, { ...before, [field]: without(held, ended) })
    if (decision instanceof Refusal) return decision
    events.push(...decision)
  }
  return events
}
