import { lastPlace } from '../../../domain/kernel/values/characters.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../domain/kernel/values/event.ts'
import { bytesOf, bytesWithin } from './size.ts'

/** Value that fits, and where it goes on: JSON pointers with a position in the array or text that they name. */
export interface Cut {
  readonly data: Json
  readonly rest: readonly string[]
}

/** Highest number of places that are told. */
const MOST_PLACES = 20

/** Bytes of a mark that a value was left out. */
const LEAST = 64

const inPointer = (name: string | number): string => String(name).replaceAll('~', '~0').replaceAll('/', '~1')

const outOfPointer = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~')

/** Returns as much of a text as fits, whole characters only. */
const cutText = (text: string, from: number, budget: number, pointer: string): Cut => {
  // Each character takes a byte at least.
  let [low, high] = [from, Math.min(text.length, from + budget)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (bytesOf(text.slice(from, middle)) <= budget) low = middle
    else high = middle - 1
  }
  const whole = from + lastPlace(text.slice(from), low - from)
  const isHalf = /[\uD800-\uDBFF]/.test(text[low - 1] ?? '') && low < text.length
  const end = whole > from ? whole : isHalf ? low - 1 : low
  return { data: text.slice(from, end), rest: end < text.length ? [`${pointer}@${end}`] : [] }
}

const cutArray = (items: readonly Json[], from: number, budget: number, pointer: string): Cut => {
  const data: Json[] = []
  let left = budget - 2
  for (let at = from; at < items.length; at++) {
    const size = bytesWithin(items[at]!, left) + 1
    if (size <= left) {
      data.push(items[at]!)
      left -= size
      continue
    }
    // One item alone that is too long is cut inside, or the rest would never be reached.
    if (data.length > 0) return { data, rest: [`${pointer}@${at}`] }
    const inside = cutAt(items[at]!, 0, left, `${pointer}/${at}`)
    const next = at + 1 < items.length ? [`${pointer}@${at + 1}`] : []
    return { data: [inside.data], rest: [...inside.rest, ...next] }
  }
  return { data, rest: [] }
}

/** Shortens an object: small values stay, the smallest first, and the first that does not fit is cut. */
const cutObject = (object: JsonObject, budget: number, pointer: string): Cut => {
  const sized = Object.entries(object)
    .flatMap(([name, value]) => (value === undefined ? [] : [{ name, value, own: bytesOf(name) + 2 }]))
    .map((one) => ({ ...one, size: one.own + bytesWithin(one.value, budget) }))
  const kept = new Map<string, Json>()
  const rest: string[] = []
  let left = budget - 2
  for (const { name, value, own, size } of [...sized].sort((one, other) => one.size - other.size)) {
    const place = `${pointer}/${inPointer(name)}`
    if (size <= left) {
      kept.set(name, value)
      left -= size
    } else if (left > own + LEAST) {
      const inside = cutAt(value, 0, left - own, place)
      kept.set(name, inside.data)
      rest.push(...inside.rest)
      left -= own + bytesOf(inside.data)
    } else rest.push(`${place}@0`)
  }
  const data = Object.fromEntries(sized.flatMap(({ name }) => (kept.has(name) ? [[name, kept.get(name)!]] : [])))
  return { data, rest }
}

const cutAt = (value: Json, from: number, budget: number, pointer: string): Cut => {
  if (from === 0 && bytesWithin(value, budget) <= budget) return { data: value, rest: [] }
  if (typeof value === 'string') return cutText(value, from, budget, pointer)
  if (Array.isArray(value)) return cutArray(value, from, budget, pointer)
  if (isJsonObject(value)) return cutObject(value, budget, pointer)
  return { data: value, rest: [] }
}

/** Names in a pointer may hold an `@` too. */
const PLACE = /^((?:\/.*)?)@(\d{1,9})$/s

/** Returns the value at a place and the position in it; `undefined` for a place that is not there. */
const placed = (whole: Json, place: string): { value: Json; pointer: string; from: number } | undefined => {
  const [, pointer, from] = PLACE.exec(place) ?? []
  if (pointer === undefined) return undefined
  let value: Json | undefined = whole
  for (const name of pointer.split('/').slice(1).map(outOfPointer)) {
    if (Array.isArray(value)) value = value[Number(name)]
    else value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
    if (value === undefined) return undefined
  }
  return value === undefined ? undefined : { value, pointer, from: Number(from) }
}

/**
 * Cuts a value between its items so that its JSON has at most so many bytes. Texts are cut between characters.
 *
 * @param place where an earlier answer was cut; `undefined`: the beginning
 * @returns `undefined` for a place that is not in the value
 */
export const cut = (whole: Json, budget: number, place?: string): Cut | undefined => {
  const { value, pointer, from } =
    place === undefined ? { value: whole, pointer: '', from: 0 } : (placed(whole, place) ?? {})
  if (value === undefined) return undefined
  const { data, rest } = cutAt(value, from!, budget, pointer!)
  return { data, rest: rest.slice(0, MOST_PLACES) }
}
