import { type Encoded, FALSE, TRUE } from './encoding.ts'

/** A value as it goes to another thread: bytes, of which each would be moved on its own, are a text in brackets, or a truth value. */
type Packed = number | string | boolean | readonly [string]

/** A row as an array: id, position, the columns, document. It reaches another thread at a fraction of what an object costs. */
export type PackedRow = readonly Packed[]

export const packed = (row: readonly Encoded[]): PackedRow => row.map(pack)

export const unpacked = (row: PackedRow): readonly Encoded[] => row.map(unpack)

const pack = (value: Encoded): Packed => {
  if (typeof value !== 'object') return value
  if (value === TRUE || value === FALSE) return value === TRUE
  return [Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')]
}

const unpack = (value: Packed): Encoded => {
  if (typeof value === 'boolean') return value ? TRUE : FALSE
  return typeof value === 'object' ? Buffer.from(value[0], 'latin1') : value
}
