import type { JsonObject } from '../values/event.ts'
import type { Model } from './model.ts'

/** A timer of a record whose time is known. */
export interface DueTimer {
  readonly name: string
  /** ISO 8601, in UTC with milliseconds: texts in the order of the moments. */
  readonly due: string
}

/** Among what is due anywhere; what is due in a workspace is under its id. */
export const ANYWHERE = 0

/** Fields of documents that say when the first timer of a record is due, and where that is looked for. */
export const DUE = { at: 'due_at', in: 'due_in' } as const

const inUtc = (moment: string | null): string | undefined => {
  const due = moment === null ? undefined : new Date(moment)
  return due && !Number.isNaN(due.getTime()) ? due.toISOString() : undefined
}

/** The timers of a record that are going to fire as things stand, first come first. */
export const timersOf = ({ timers }: Model, record: JsonObject): readonly DueTimer[] =>
  timers
    .flatMap((timer): DueTimer[] => {
      const due = inUtc(timer.due(record as never))
      return due === undefined ? [] : [{ name: timer.name, due }]
    })
    .sort((a, b) => (a.due < b.due ? -1 : a.due > b.due ? 1 : 0))

/** What the timers of a record add to its document: with one index over both fields cost goes by what is due, not by what waits. */
export const dueFields = (model: Model, record: JsonObject): JsonObject => {
  const [first] = timersOf(model, record)
  if (!first) return { [DUE.at]: null, [DUE.in]: [] }
  const { workspace_id: workspaceId } = record
  return { [DUE.at]: first.due, [DUE.in]: typeof workspaceId === 'number' ? [ANYWHERE, workspaceId] : [ANYWHERE] }
}
