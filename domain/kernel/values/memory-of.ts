import type { Json } from './event.ts'

const TEXT_BYTES = 24
const OBJECT_BYTES = 56
const SLOT_BYTES = 16

/** Estimates the memory of a JSON value, in bytes. Texts count as if each character took two. */
export const memoryOf = (value: Json | undefined): number => {
  if (typeof value === 'string') return TEXT_BYTES + 2 * value.length
  if (typeof value !== 'object' || value === null) return 0
  let bytes = OBJECT_BYTES
  if (Array.isArray(value)) for (const item of value as readonly Json[]) bytes += SLOT_BYTES + memoryOf(item)
  else for (const name in value) bytes += SLOT_BYTES + memoryOf((value as { readonly [name: string]: Json })[name])
  return bytes
}
