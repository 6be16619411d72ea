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
 * Appends at an exact revision, and sends the same events again until an answer comes. That is safe: at an exact
 * revision the server takes an append for done when these very ids stand there, however long ago, and otherwise answers
 * with the actual revision, beyond which no earlier attempt that is still on its way can have an effect.
 *
 * @param expected revision of the last event of the stream, or -1
 * @param since when what this belongs to began, in milliseconds since 1970: patience counts from there
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
  const asked = await caller.attempt((client) => appendOver(caller, client, { stream, expected, events }), { since })
  const ids = events.map((event) => event.id)
  if (asked.ok) return asked.value.ok ? located(caller, stream, asked.value, ids) : asked.value
  if (!asked.uncertain) throw asked.error
  throw new AppendOutcomeUnknown(stream, ids, asked.error)
}

interface Wanted {
  readonly stream: string
  readonly expected: number
  readonly events: readonly JSONEventData[]
}

/** Together with others; by itself where that is answered in a way that says too little, as by a node that is not the leader. */
async function appendOver(caller: Caller, client: Client, wanted: Wanted): Promise<Appended> {
  const { stream, expected, events } = wanted
  const batch = await caller.connection.batch(client)
  const answer = await batch.append(stream, expected, events, caller.options.attemptMs)
  if (answer.kind === 'done') return { ok: true, revision: answer.revision, position: answer.position }
  if (answer.kind === 'wrong revision') return { ok: false, actual: answer.actual }
  batch.retire()
  return appendAlone(caller, client, wanted)
}

async function appendAlone(caller: Caller, client: Client, { stream, expected, events }: Wanted): Promise<Appended> {
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

/** The server may leave out the position of an append that it had carried out before. */
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
