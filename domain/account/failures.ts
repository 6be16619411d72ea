import { Type } from 'typebox'
import type { RefusedCommand } from '../kernel/ports/reactor-store.ts'
import { FAILURE_ID, failureId, failureKey, failureOf, firstLine } from '../kernel/react/failure.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { refuse } from '../kernel/values/refusal.ts'
import type { ReadInput } from '../resources/operation.ts'
import { read } from '../resources/operations.ts'
import { dateTime } from '../resources/schemas.ts'

const shared = {
  id: Type.String(),
  workspace_id: Type.Integer(),
  reaction: Type.String({ description: 'What reacted to the event' }),
  position: Type.Integer({ description: 'Of the event, in the log' }),
  at: dateTime,
}

const failureSchema = Type.Object({
  ...shared,
  attempts: Type.Integer({ description: 'Tries that failed' }),
  error: Type.String({ description: 'First line of what the last try failed with, at most 200 characters' }),
})

const refusalSchema = Type.Object({
  ...shared,
  reason: Type.String({ description: 'Its first line, at most 200 characters' }),
})

const noId = () => refuse.malformed('after must be an id', 'after', 'type')

const listFailures = async ({ document, reactorStore, page: { after, limit } }: ReadInput) => {
  const key = after === undefined ? undefined : failureKey(after)
  if (after !== undefined && !key) return noId()
  const letters = await reactorStore.deadLetters({
    workspaceId: Number(document?.id),
    limit,
    ...(key && { after: key }),
  })
  return letters.map(failureOf)
}

/** As many as the books keep of a workspace. */
const MOST_REFUSALS = 1000

/** Several of one reaction to one event are told apart by a number. */
const NUMBER = '(\\.[1-9]\\d*)?$'
const REFUSAL_ID = `${FAILURE_ID.slice(0, -1)}${NUMBER}`
const NUMBERED = new RegExp(NUMBER)

/** Refusals with their ids, the newest first. They are numbered from the oldest, whose names newer ones must not change. */
const named = (refusals: readonly RefusedCommand[]): JsonObject[] => {
  const seen = new Map<string, number>()
  const oldestFirst = refusals.toReversed().map(({ reaction, position, workspace_id, at, reason }) => {
    const id = failureId({ lane: reaction, position })
    const before = seen.get(id) ?? 0
    seen.set(id, before + 1)
    const numbered = before === 0 ? id : `${id}.${before}`
    return { id: numbered, workspace_id, reaction, position, at, reason: firstLine(reason) }
  })
  return oldestFirst.toReversed()
}

const listRefusals = async ({ document, reactorStore, page: { after, limit } }: ReadInput) => {
  if (after !== undefined && !failureKey(after.replace(NUMBERED, ''))) return noId()
  const all = named(await reactorStore.refusals(Number(document?.id), MOST_REFUSALS))
  if (after === undefined) return all.slice(0, limit)
  const index = all.findIndex(({ id }) => id === after)
  // What is not among them any more was the oldest.
  return index < 0 ? [] : all.slice(index + 1, index + 1 + limit)
}

/** What the background did not do in a workspace: given up after many tries, or refused by a rule. */
export const backgroundOperations = {
  listWorkspacesFailures: read('/workspaces/{id}/failures', {
    schema: Type.Array(failureSchema),
    pagedBy: FAILURE_ID,
    beyondContract: true,
    summary: 'What was given up in the background after many tries',
    read: listFailures,
  }),
  listWorkspacesRefusals: read('/workspaces/{id}/refusals', {
    schema: Type.Array(refusalSchema),
    pagedBy: REFUSAL_ID,
    beyondContract: true,
    summary: 'What followed from events and was refused, the newest first; the last thousand',
    read: listRefusals,
  }),
}
