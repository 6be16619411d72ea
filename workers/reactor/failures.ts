import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { Books, DeadLetter, LettersAsked, Owed } from '../../domain/kernel/ports/reactor-store.ts'
import { type Failure, failureId, failureKey, failureOf } from '../../domain/kernel/react/failure.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'

export interface FailuresAsked extends Pick<LettersAsked, 'workspaceId' | 'limit'> {
  /** Id of the failure behind which to go on. */
  readonly after?: string
}

/** A failure with the event that was reacted to. */
export interface FailureShown extends Failure {
  /** `null`: the log does not have it (any more). */
  readonly event: { readonly type: string; readonly stream: string; readonly at: string } | null
}

export interface FailureParts {
  readonly books: Books
  readonly log: Pick<EventLog, 'at'>
  /** Told of each row that is owed again, once it is written: for a reactor that runs in this process. */
  readonly onOwed: (row: Owed) => void
}

/** What was given up, in the order of lanes and positions. @throws {Refusal} malformed, for an id that is none */
export const listFailures = async (books: Books, { after, ...asked }: FailuresAsked): Promise<readonly Failure[]> => {
  const key = after === undefined ? undefined : failureKey(after)
  if (after !== undefined && !key) throw refuse.malformed('after must be the id of a failure', 'after', 'type')
  const letters = await books.dead({ ...asked, ...(key && { after: key }) })
  return letters.map(failureOf)
}

/** @throws {Refusal} not found */
const letterWith = async (books: Books, id: string): Promise<DeadLetter> => {
  const key = failureKey(id)
  const [letter] = key ? await books.dead({ after: { ...key, position: key.position - 1 }, limit: 1 }) : []
  if (letter && failureId(letter) === id) return letter
  throw refuse.notFound(`Not found: there is no failure ${id}`)
}

const eventAt = async (log: FailureParts['log'], position: number): Promise<FailureShown['event']> => {
  const event = await log.at(position)
  return event ? { type: event.type, stream: event.stream, at: event.metadata.at } : null
}

/** One failure, with its event. @throws {Refusal} not found */
export const showFailure = async (
  { books, log }: Pick<FailureParts, 'books' | 'log'>,
  id: string,
): Promise<FailureShown> => {
  const letter = await letterWith(books, id)
  return { ...failureOf(letter), event: await eventAt(log, letter.position) }
}

/**
 * Owes once more what was given up, as if it had never been tried; it may come after what overtook it.
 *
 * @throws {Refusal} not found
 */
export const retryFailure = async (books: Books, id: string, onOwed: FailureParts['onOwed']): Promise<Failure> => {
  const letter = await letterWith(books, id)
  const { lane, position, reaction, gate, workspace_id, error } = letter
  const row: Owed = { lane, position, reaction, gate, workspace_id, attempts: 0, due: 0, error }
  await books.write([{ owed: row }, { revived: { lane, position } }])
  onOwed(row)
  return failureOf(letter)
}

/** Forgets what was given up: nobody will try it again. @throws {Refusal} not found */
export const dropFailure = async (books: Books, id: string): Promise<Failure> => {
  const letter = await letterWith(books, id)
  const { lane, position } = letter
  await books.write([{ revived: { lane, position } }])
  return failureOf(letter)
}

/** The operator's actions on what was given up. */
export const failuresOf = ({ books, log, onOwed }: FailureParts) => ({
  list: (asked: FailuresAsked) => listFailures(books, asked),
  show: (id: string) => showFailure({ books, log }, id),
  retry: (id: string) => retryFailure(books, id, onOwed),
  drop: (id: string) => dropFailure(books, id),
})

export type Failures = ReturnType<typeof failuresOf>
