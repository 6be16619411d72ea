import { type Encoded, FALSE, TRUE } from '../encoding.ts'
import type { Row } from '../row.ts'

/** A value as it goes to another thread: bytes, of which each would be moved on its own, are a text in brackets, or a truth value. */
type Packed = number | string | boolean | readonly [string]

/** A row as an array: id, position, the columns, document. It reaches another thread at a fraction of what an object costs. */
export type PackedRow = readonly Packed[]

/** Rows of a collection on their way to another thread. */
export interface PackedRows {
  readonly collection: string
  readonly rows: readonly PackedRow[]
}

/** Without columns and document where the row goes. */
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
