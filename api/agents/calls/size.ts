import { isJsonObject, type Json } from '../../../domain/kernel/values/event.ts'

/** Returns the bytes of a value as JSON. */
export const bytesOf = (value: Json): number => Buffer.byteLength(JSON.stringify(value) ?? '')

/** Adds sizes up to a limit. @returns a number above the limit as soon as that is exceeded */
const sumOf = <T>(items: Iterable<T>, begin: number, most: number, size: (item: T, left: number) => number): number => {
  let sum = begin
  for (const item of items) {
    if (sum > most) break
    sum += size(item, most - sum)
  }
  return sum
}

/**
 * Returns the bytes of a value as JSON, or a number above `most` if there are more. However long the value is, no more of it is looked at than
 * that takes.
 */
export const bytesWithin = (value: Json, most: number): number => {
  if (typeof value === 'string') return value.length > most ? value.length : bytesOf(value)
  if (Array.isArray(value))
    return sumOf(value, 1 + Math.max(1, value.length), most, (item, left) => bytesWithin(item, left))
  if (!isJsonObject(value)) return bytesOf(value)
  // The braces, and no comma before the first.
  const names = Object.keys(value).filter((name) => value[name] !== undefined)
  return sumOf(names, 1 + Math.max(1, names.length), most, (name, left) => {
    const own = bytesOf(name) + 1
    return own + bytesWithin(value[name]!, left - own)
  })
}
