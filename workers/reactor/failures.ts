import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { DeadLetter, DeadLetterQuery, PendingTask, ReactorStore } from '../../domain/kernel/ports/reactor-store.ts'
import { type Failure, failureId, failureKey, failureOf } from '../../domain/kernel/react/failure.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'

export interface FailureQuery extends Pick<DeadLetterQuery, 'workspaceId' | 'limit'> {
  /** Id of the failure after which the list begins. */
  readonly after?: string
}

/** A failure with the event that was reacted to. */
export interface FailureShown extends Failure {
  /** `null`: the log does not have it. */
  readonly event: { readonly type: string; readonly stream: string; readonly at: string } | null
}

export interface FailureDeps {
  readonly reactorStore: ReactorStore
  readonly log: Pick<EventLog, 'at'>
  /** Called with each row that is pending again, once it is written; for a reactor that runs in this process. */
  readonly onOwed: (row: PendingTask) => void
}

/** Lists failures in the order of lanes and positions. @throws {Refusal} malformed, when `after` is not an id */
export const listFailures = async (
  reactorStore: ReactorStore,
  { after, ...query }: FailureQuery,
): Promise<readonly Failure[]> => {
  const key = after === undefined ? undefined : failureKey(after)
  if (after !== undefined && !key) throw refuse.malformed('after must be the id of a failure', 'after', 'type')
  const deadLetters = await reactorStore.deadLetters({ ...query, ...(key && { after: key }) })
  return deadLetters.map(failureOf)
}

/** Returns the dead letter of a failure. @throws {Refusal} not found */
const findDeadLetter = async (reactorStore: ReactorStore, id: string): Promise<DeadLetter> => {
  const key = failureKey(id)
  const [deadLetter] = key
    ? await reactorStore.deadLetters({ after: { ...key, position: key.position - 1 }, limit: 1 })
    : []
  if (deadLetter && failureId(deadLetter) === id) return deadLetter
  throw refuse.notFound(`Not found: there is no failure ${id}`)
}

const eventAt = async (log: FailureDeps['log'], position: number): Promise<FailureShown['event']> => {
  const event = await log.at(position)
  return event ? { type: event.type, stream: event.stream, at: event.metadata.at } : null
}

/** Returns a failure with its event. @throws {Refusal} not found */
export const showFailure = async (
  { reactorStore, log }: Pick<FailureDeps, 'reactorStore' | 'log'>,
  id: string,
): Promise<FailureShown> => {
  const deadLetter = await findDeadLetter(reactorStore, id)
  return { ...failureOf(deadLetter), event: await eventAt(log, deadLetter.position) }
}

/**
 * Makes a failure pending again, as if it had never been tried. Later tasks of its lane may have run before it.
 *
 * @throws {Refusal} not found
 */
export const retryFailure = async (
  reactorStore: ReactorStore,
  id: string,
  onOwed: FailureDeps['onOwed'],
): Promise<Failure> => {
  const deadLetter = await findDeadLetter(reactorStore, id)
  const { lane, position, reaction, gate, workspace_id, error } = deadLetter
  const row: PendingTask = { lane, position, reaction, gate, workspace_id, attempts: 0, due: 0, error }
  await reactorStore.write([{ owed: row }, { revived: { lane, position } }])
  onOwed(row)
  return failureOf(deadLetter)
}

/** Deletes a failure, which is then never tried again. @throws {Refusal} not found */
export const dropFailure = async (reactorStore: ReactorStore, id: string): Promise<Failure> => {
  const deadLetter = await findDeadLetter(reactorStore, id)
  const { lane, position } = deadLetter
  await reactorStore.write([{ revived: { lane, position } }])
  return failureOf(deadLetter)
}

/** Returns the operator's actions on failures. */
export const failuresOf = ({ reactorStore, log, onOwed }: FailureDeps) => ({
  list: (query: FailureQuery) => listFailures(reactorStore, query),
  show: (id: string) => showFailure({ reactorStore, log }, id),
  retry: (id: string) => retryFailure(reactorStore, id, onOwed),
  drop: (id: string) => dropFailure(reactorStore, id),
})

export type Failures = ReturnType<typeof failuresOf>
