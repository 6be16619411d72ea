import {
  type AppendExpectedRevision,
  ErrorType,
  isCommandError,
  type JSONEventData,
  NO_STREAM,
  type WrongExpectedVersionError,
} from '@eventstore/db-client'
import type { Caller, Client } from './caller.ts'
import { AppendOutcomeUnknown } from './errors.ts'
import { eventAt } from './stream-reading.ts'
import { positionOf } from './wire/codec.ts'

export type Appended =
  | { readonly ok: true; readonly revision: number; readonly position: number }
  | { readonly ok: false; readonly actual: number }

/**
 * Appends at an exact revision, and sends the same events again until an answer comes. That is safe. At an exact revision the server reports
 * success when these very ids are there already, no matter how old. Otherwise it answers with the actual revision, and no earlier attempt that
 * is still on its way can have an effect after that.
 *
 * @param expected revision of the last event of the stream, or -1
 * @param since start of the whole operation, in milliseconds since 1970: patience counts from there
 * @throws {AppendOutcomeUnknown} when an attempt may have had its effect and no answer came
 * @throws {EventStoreUnavailable | EventStoreAccessDenied | EventStoreRefused} when nothing was appended
 */
export async function appendAt(
  caller: Caller,
  stream: string,
  expected: number,
  events: readonly JSONEventData[],
  since = Date.now(),
): Promise<Appended> {
  const outcome = await caller.attempt((client) => appendOver(caller, client, { stream, expected, events }), { since })
  const ids = events.map((event) => event.id)
  if (outcome.ok) return outcome.value.ok ? located(caller, stream, outcome.value, ids) : outcome.value
  if (!outcome.uncertain) throw outcome.error
  throw new AppendOutcomeUnknown(stream, ids, outcome.error)
}

interface AppendRequest {
  readonly stream: string
  readonly expected: number
  readonly events: readonly JSONEventData[]
}

/** Appends together with other appends. Repeats the append alone when the answer says too little, as that of a node that is not the leader. */
async function appendOver(caller: Caller, client: Client, request: AppendRequest): Promise<Appended> {
  const { stream, expected, events } = request
  const batch = await caller.connection.batch(client)
  const answer = await batch.append(stream, expected, events, caller.options.attemptMs)
  if (answer.kind === 'done') return { ok: true, revision: answer.revision, position: answer.position }
  if (answer.kind === 'wrong revision') return { ok: false, actual: answer.actual }
  batch.retire()
  return appendAlone(caller, client, request)
}

async function appendAlone(
  caller: Caller,
  client: Client,
  { stream, expected, events }: AppendRequest,
): Promise<Appended> {
  try {
    const expectedRevision: AppendExpectedRevision = expected < 0 ? NO_STREAM : BigInt(expected)
    const options = { expectedRevision, requiresLeader: true, deadline: caller.options.attemptMs }
    const { nextExpectedRevision, position } = await client.appendToStream(stream, [...events], options)
    return { ok: true, revision: Number(nextExpectedRevision), position: position ? Number(position.commit) : -1 }
  } catch (error) {
    if (!isWrongRevision(error)) throw error
    return { ok: false, actual: typeof error.actualVersion === 'bigint' ? Number(error.actualVersion) : -1 }
  }
}

function isWrongRevision(error: unknown): error is WrongExpectedVersionError {
  return error instanceof Error && isCommandError(error) && error.type === ErrorType.WRONG_EXPECTED_VERSION
}

/** Looks up the position, which the server may leave out for an append that it had carried out before. */
async function located(
  caller: Caller,
  stream: string,
  appended: Appended & { ok: true },
  ids: readonly string[],
): Promise<Appended> {
  if (appended.position >= 0) return appended
  try {
    const event = await eventAt(caller, stream, appended.revision)
    return { ...appended, position: positionOf(event!) }
  } catch (error) {
    throw new AppendOutcomeUnknown(stream, ids, error as Error)
  }
}
