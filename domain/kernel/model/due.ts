import type { JsonObject } from '../values/event.ts'
import { ENGINE_PREFIX } from './engine-fields.ts'
import type { Model } from './model.ts'

/** A timer of a record, with the time at which it is due. */
export interface DueTimer {
  readonly name: string
  /** ISO 8601, in UTC with milliseconds, so that texts sort in the order of time. */
  readonly due: string
}

/** Entry of `DUE.in` for records of all workspaces. Records of a workspace have its id as a second entry. */
export const ALL_WORKSPACES = 0

/** Fields of documents with the time of the first timer of a record, and with the scopes in which it is searched for. */
export const DUE = { at: `${ENGINE_PREFIX}due_at`, in: `${ENGINE_PREFIX}due_in` } as const

const toUtc = (moment: string | null): string | undefined => {
  const due = moment === null ? undefined : new Date(moment)
  return due && !Number.isNaN(due.getTime()) ? due.toISOString() : undefined
}

/** Returns the timers of a record that are due at a known time, the earliest first. */
export const dueTimersOf = ({ timers }: Model, record: JsonObject): readonly DueTimer[] =>
  timers
    .flatMap((timer): DueTimer[] => {
      const due = toUtc(timer.due(record as never))
      return due === undefined ? [] : [{ name: timer.name, due }]
    })
    .sort((a, b) => (a.due < b.due ? -1 : a.due > b.due ? 1 : 0))

/** Returns the fields that timers add to a document. One index covers both, so the cost of a search depends on what is due, not on what waits. */
export const dueFields = (model: Model, record: JsonObject): JsonObject => {
  const [first] = dueTimersOf(model, record)
  if (!first) return { [DUE.at]: null, [DUE.in]: [] }
  const { workspace_id: workspaceId } = record
  return {
    [DUE.at]: first.due,
    [DUE.in]: typeof workspaceId === 'number' ? [ALL_WORKSPACES, workspaceId] : [ALL_WORKSPACES],
  }
}
