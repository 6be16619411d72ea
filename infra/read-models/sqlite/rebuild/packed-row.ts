import { type Encoded, FALSE, TRUE } from '../encoding.ts'
import type { Row } from '../row.ts'

/** Value as it is sent to another thread. Each byte array would be moved on its own, so bytes become a text in an array, or a boolean. */
type Packed = number | string | boolean | readonly [string]

/** Row as an array: id, position, the columns, document. Sending it costs a fraction of what an object costs. */
export type PackedRow = readonly Packed[]

/** Rows of a collection on their way to another thread. */
export interface PackedRows {
  readonly collection: string
  readonly rows: readonly PackedRow[]
}

/** Packs a row. A row to delete has neither columns nor a document. */
export const packed = ({ id, position, columns, document }: Row): PackedRow =>
  document === undefined ? [pack(id), position] : [pack(id), position, ...columns.map(pack), document]

export const unpacked = (row: PackedRow): readonly Encoded[] => row.map(unpack)

export const rowIn = (row: PackedRow): Row => {
  const [id, position, ...rest] = unpacked(row)
  const document = rest.pop()
  return { id: id!, position: Number(position), columns: rest, document: document as string | undefined }
}

const pack = (value: Encoded): Packed => {
  if (typeof value !== 'object') return value
  if (value === TRUE || value === FALSE) return value === TRUE
  return [Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')]
}

const unpack = (value: Packed): Encoded => {
  if (typeof value === 'boolean') return value ? TRUE : FALSE
  return typeof value === 'object' ? Buffer.from(value[0], 'latin1') : value
}
