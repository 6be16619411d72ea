import type { Document as Bson } from 'mongodb'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import type { Json } from '../../../domain/kernel/values/event.ts'

/** Position of the newest event in a document. No write ever lowers it. */
export const POSITION = '_position'
/** Marks the remains of a removed document, so that an older version of it cannot come back. */
export const REMOVED = '_removed'
/** Marks documents in which a name or an array had to be encoded. */
const SPELLED = '_spelled'

const WRAPPED = '%'

const RESERVED_NAME = /^\$|^_id$|^_position$|^_removed$|^_spelled$|[.%\0]/
const RESERVED_CHARACTERS = /^[$_]|[.%\0]/g

/** Returns a document, or the mark of a removed one, as it is stored: with `_id`, hidden fields and encoded names. */
export const toStored = (id: number | string, document: Document | null, position: number): Bson => {
  if (!document) return { _id: id, [POSITION]: position, [REMOVED]: true }
  const { id: _, ...fields } = document
  const encoded = encodeValue(fields)
  return { _id: id, ...(encoded as Bson), [POSITION]: position, ...(encoded !== fields && { [SPELLED]: true }) }
}

/** Returns the document as it was applied, or `undefined` when it has been removed. */
export const fromStored = (stored: Bson | undefined): Document | undefined => {
  if (!stored || stored[REMOVED]) return undefined
  const { _id: id, [POSITION]: _, [SPELLED]: encoded, ...fields } = stored
  return { id, ...(encoded ? unspell(fields) : fields) }
}

/** Returns the path of a field inside stored documents. */
export const storedPath = (field: string): string =>
  field === 'id' ? '_id' : field.split('.').map(spellName).join('.')

/** Encodes a value for stored documents. Returns the value itself where nothing in it has to be encoded. */
export const encodeValue = (value: Json | undefined): Json | undefined => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return spellArray(value)
  const entries = Object.entries(value)
  const encoded = entries.map(([name, inner]) => [spellName(name), encodeValue(inner)] as const)
  const same = encoded.every(([name, inner], i) => name === entries[i]![0] && inner === entries[i]![1])
  return same ? value : Object.fromEntries(encoded)
}

/** Encodes an array. Some servers refuse arrays directly inside arrays: those are wrapped, under a name that no field can have. */
const spellArray = (array: readonly Json[]): Json => {
  const encoded = array.map((element) =>
    Array.isArray(element) ? { [WRAPPED]: spellArray(element) } : (encodeValue(element) ?? null),
  )
  return encoded.some((element, i) => element !== array[i]) ? encoded : array
}

/** Percent-encodes dots and dollar signs, which have a meaning for MongoDB, and NUL, which it cannot store in a name. */
const spellName = (name: string): string =>
  RESERVED_NAME.test(name)
    ? name.replace(RESERVED_CHARACTERS, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
    : name

const unspellName = (name: string): string =>
  name.replace(/%(..)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const unspell = (value: Bson): Bson => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(unspell)
  if (WRAPPED in value) return unspell(value[WRAPPED])
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [unspellName(name), unspell(inner)]))
}
