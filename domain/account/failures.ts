import { Type } from 'typebox'
import type { RefusedCommand } from '../kernel/ports/reactor-store.ts'
import { FAILURE_ID, failureId, failureKey, failureOf, firstLine } from '../kernel/react/failure.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { refuse } from '../kernel/values/refusal.ts'
import { read } from '../resources/operations.ts'
import type { ReadInput } from '../resources/read-operation.ts'
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

const invalidId = () => refuse.malformed('after must be an id', 'after', 'type')

const listFailures = async ({ document, reactorStore, page: { after, limit } }: ReadInput) => {
  const key = after === undefined ? undefined : failureKey(after)
  if (after !== undefined && !key) return invalidId()
  const deadLetters = await reactorStore.deadLetters({
    workspaceId: Number(document?.id),
    limit,
    ...(key && { after: key }),
  })
  return deadLetters.map(failureOf)
}

/** Number of refusals of a workspace that the reactor store keeps. */
const MAX_REFUSALS = 1000

/** Number that distinguishes several refusals of one reaction to one event. */
const NUMBER = '(\\.[1-9]\\d*)?$'
const REFUSAL_ID = `${FAILURE_ID.slice(0, -1)}${NUMBER}`
const NUMBERED = new RegExp(NUMBER)

/** Returns refusals with their ids, the newest first. They are numbered from the oldest, so that newer ones do not change ids. */
const withIds = (refusals: readonly RefusedCommand[]): JsonObject[] => {
  const seen = new Map<string, number>()
  const oldestFirst = refusals.toReversed().map(({ reaction, position, workspace_id, at, reason }) => {
    const id = failureId({ lane: reaction, position })
    const earlier = seen.get(id) ?? 0
    seen.set(id, earlier + 1)
    const numbered = earlier === 0 ? id : `${id}.${earlier}`
    return { id: numbered, workspace_id, reaction, position, at, reason: firstLine(reason) }
  })
  return oldestFirst.toReversed()
}

const listRefusals = async ({ document, reactorStore, page: { after, limit } }: ReadInput) => {
  if (after !== undefined && !failureKey(after.replace(NUMBERED, ''))) return invalidId()
  const all = withIds(await reactorStore.refusals(Number(document?.id), MAX_REFUSALS))
  if (after === undefined) return all.slice(0, limit)
  const index = all.findIndex(({ id }) => id === after)
  // An id that is no longer there belonged to the oldest refusal, so nothing follows it.
  return index < 0 ? [] : all.slice(index + 1, index + 1 + limit)
}

/** Operations that list what failed in the background of a workspace: reactions given up after many attempts, and refused commands. */
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
