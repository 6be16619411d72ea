import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { DeadLetter, DeadLetterQuery, PendingTask, ReactorStore } from '../../domain/kernel/ports/reactor-store.ts'
import { type Failure, failureId, failureKey, failureOf } from '../../domain/kernel/react/failure.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'

export interface FailuresAsked extends Pick<DeadLetterQuery, 'workspaceId' | 'limit'> {
  /** Id of the failure behind which to go on. */
  readonly after?: string
}

/** A failure with the event that was reacted to. */
export interface FailureShown extends Failure {
  /** `null`: the log does not have it (any more). */
  readonly event: { readonly type: string; readonly stream: string; readonly at: string } | null
}

export interface FailureDeps {
  readonly reactorStore: ReactorStore
  readonly log: Pick<EventLog, 'at'>
  /** Told of each row that is owed again, once it is written: for a reactor that runs in this process. */
  readonly onOwed: (row: PendingTask) => void
}

/** What was given up, in the order of lanes and positions. @throws {Refusal} malformed, for an id that is none */
export const listFailures = async (
  reactorStore: ReactorStore,
  { after, ...asked }: FailuresAsked,
): Promise<readonly Failure[]> => {
  const key = after === undefined ? undefined : failureKey(after)
  if (after !== undefined && !key) throw refuse.malformed('after must be the id of a failure', 'after', 'type')
  const letters = await reactorStore.deadLetters({ ...asked, ...(key && { after: key }) })
  return letters.map(failureOf)
}

/** @throws {Refusal} not found */
const letterWith = async (reactorStore: ReactorStore, id: string): Promise<DeadLetter> => {
  const key = failureKey(id)
  const [letter] = key
    ? await reactorStore.deadLetters({ after: { ...key, position: key.position - 1 }, limit: 1 })
    : []
  if (letter && failureId(letter) === id) return letter
  throw refuse.notFound(`Not found: there is no failure ${id}`)
}

const eventAt = async (log: FailureDeps['log'], position: number): Promise<FailureShown['event']> => {
  const event = await log.at(position)
  return event ? { type: event.type, stream: event.stream, at: event.metadata.at } : null
}

/** One failure, with its event. @throws {Refusal} not found */
export const showFailure = async (
  { reactorStore, log }: Pick<FailureDeps, 'reactorStore' | 'log'>,
  id: string,
): Promise<FailureShown> => {
  const letter = await letterWith(reactorStore, id)
  return { ...failureOf(letter), event: await eventAt(log, letter.position) }
}

/**
 * Owes once more what was given up, as if it had never been tried; it may come after what overtook it.
 *
 * @throws {Refusal} not found
 */
export const retryFailure = async (
  reactorStore: ReactorStore,
  id: string,
  onOwed: FailureDeps['onOwed'],
): Promise<Failure> => {
  const letter = await letterWith(reactorStore, id)
  const { lane, position, reaction, gate, workspace_id, error } = letter
  const row: PendingTask = { lane, position, reaction, gate, workspace_id, attempts: 0, due: 0, error }
  await reactorStore.write([{ owed: row }, { revived: { lane, position } }])
  onOwed(row)
  return failureOf(letter)
}

/** Forgets what was given up: nobody will try it again. @throws {Refusal} not found */
export const dropFailure = async (reactorStore: ReactorStore, id: string): Promise<Failure> => {
  const letter = await letterWith(reactorStore, id)
  const { lane, position } = letter
  await reactorStore.write([{ revived: { lane, position } }])
  return failureOf(letter)
}

/** The operator's actions on what was given up. */
export const failuresOf = ({ reactorStore, log, onOwed }: FailureDeps) => ({
  list: (asked: FailuresAsked) => listFailures(reactorStore, asked),
  show: (id: string) => showFailure({ reactorStore, log }, id),
  retry: (id: string) => retryFailure(reactorStore, id, onOwed),
  drop: (id: string) => dropFailure(reactorStore, id),
})

export type Failures = ReturnType<typeof failuresOf>
