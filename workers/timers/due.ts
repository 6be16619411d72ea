import { DUE } from '../../domain/kernel/model/due.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { streamOf } from '../../domain/kernel/values/stream-name.ts'
import type { Resource } from '../../domain/resources/resource.ts'

/** Documents in the order of their due times. */
const inOrder = { by: DUE.at } as const

const isoOf = (time: number): string => new Date(time).toISOString()

/**
 * Finds the records that are due, longest due first.
 *
 * @param within a workspace, or `ANYWHERE`
 * @param time milliseconds since 1970
 */
export const dueBy = (live: ReadModels, { name }: Resource, within: number, time: number, limit: number) =>
  live.find(name, { where: { [DUE.in]: within, [DUE.at]: { $lte: isoOf(time) } }, sort: inOrder, limit })

/** Returns the earliest due time, or the earliest after `time`; milliseconds since 1970, infinite when nothing is due. */
export const nextDue = async (
  live: ReadModels,
  resources: readonly Resource[],
  within: number,
  time?: number,
): Promise<number> => {
  const where = { [DUE.in]: within, [DUE.at]: { $gt: time === undefined ? '' : isoOf(time) } }
  const first = async ({ name }: Resource) => (await live.find(name, { where, sort: inOrder, limit: 1 }))[0]
  const found = await Promise.all(resources.map(first))
  return Math.min(...found.map((document) => (document ? dueAt(document) : Number.POSITIVE_INFINITY)))
}

/** Returns when the first timer of a document is due, in milliseconds since 1970; infinite when none is. */
export const dueAt = (document: Document): number => {
  const due = document[DUE.at]
  return typeof due === 'string' ? Date.parse(due) : Number.POSITIVE_INFINITY
}

/** Returns a key for a record that is unique over all collections. */
export const keyOf = ({ name }: Resource, { id }: Pick<Document, 'id'>): string => `${name} ${id}`

/** Returns the newest event that a document includes. */
export const newestEventOf = async (
  log: EventLog,
  { aggregate, documents }: Resource,
  document: Document,
): Promise<RecordedEvent | undefined> => {
  const stream = streamOf(aggregate, documents.aggregateId?.(document) ?? Number(document.id))
  for await (const event of log.readStream(stream, { from: Number(document.rev), limit: 1 })) return event
  return undefined
}
