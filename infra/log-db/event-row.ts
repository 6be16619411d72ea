import { crc32 } from 'node:zlib'
import type { JsonObject, Metadata, NewEvent, RecordedEvent } from '../../domain/kernel/values/event.ts'
import { type NumbersTaken, withNumbers } from '../../domain/kernel/values/sequence-numbers.ts'

/** Event on its way into the log, with its JSON as text. */
export interface EncodedEvent {
  readonly id: string
  readonly type: string
  readonly data: string
  readonly metadata: string
}

/** Columns of a row, in the order of `COLUMNS`. */
export type EventRow = [
  position: number,
  id: string,
  repeatable: number,
  stream: string,
  revision: number,
  type: string,
  data: string,
  metadata: string,
  checksum: number,
]

export const COLUMNS = 'position, id, repeatable, stream, revision, type, data, metadata, checksum'

/** @throws {TypeError} for data that JSON cannot express */
export const encode = ({ id, type, data, metadata }: NewEvent): EncodedEvent => ({
  id,
  type,
  data: JSON.stringify(data),
  metadata: JSON.stringify(metadata),
})

/** Returns the event with the numbers that its append took. */
export const withNumbersIn = (event: EncodedEvent, taken: NumbersTaken): EncodedEvent => ({
  ...event,
  data: JSON.stringify(withNumbers(JSON.parse(event.data) as JsonObject, taken)),
})

/** Returns the row of an event, with its checksum. */
export const rowOf = (
  { id, type, data, metadata }: EncodedEvent,
  stream: string,
  revision: number,
  position: number,
  repeatable: boolean,
): EventRow => {
  const row: EventRow = [position, id, repeatable ? 1 : 0, stream, revision, type, data, metadata, 0]
  row[8] = checksumOf(row)
  return row
}

/** @throws {Error} when the row is not as it was written */
export const decode = (row: EventRow): RecordedEvent => {
  const [position, id, , stream, revision, type, data, metadata, checksum] = row
  if (checksumOf(row) !== checksum) throw new Error('its checksum is another')
  return {
    stream,
    revision,
    position,
    id,
    type,
    data: JSON.parse(data) as JsonObject,
    metadata: JSON.parse(metadata) as Metadata,
  }
}

const checksumOf = ([position, id, repeatable, stream, revision, type, data, metadata]: EventRow): number =>
  crc32(`${position}\0${id}\0${repeatable}\0${stream}\0${revision}\0${type}\0${data}\0${metadata}`)
