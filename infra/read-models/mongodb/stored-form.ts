import type { Document as Bson } from 'mongodb'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import type { Json } from '../../../domain/kernel/values/event.ts'

/** Position of the newest event in a document: no write ever makes it less. */
export const POSITION = '_position'
/** Marks what a removed document leaves behind, so that an older version of it cannot come back. */
export const REMOVED = '_removed'
/** Marks documents in which something had to be spelled otherwise. */
const SPELLED = '_spelled'

const WRAPPED = '%'

const AWKWARD = /^\$|^_id$|^_position$|^_removed$|^_spelled$|[.%\0]/
const LETTERS = /^[$_]|[.%\0]/g

/** A document, or what a removed one leaves behind, as it is stored: as it is, but for `_id` and the hidden fields. */
export const toStored = (id: number | string, document: Document | null, position: number): Bson => {
  if (!document) return { _id: id, [POSITION]: position, [REMOVED]: true }
  const { id: _, ...fields } = document
  const spelled = spell(fields)
  return { _id: id, ...(spelled as Bson), [POSITION]: position, ...(spelled !== fields && { [SPELLED]: true }) }
}

/** The document as it was handed over, or `undefined` when it has been removed. */
export const fromStored = (stored: Bson | undefined): Document | undefined => {
  if (!stored || stored[REMOVED]) return undefined
  const { _id: id, [POSITION]: _, [SPELLED]: spelled, ...fields } = stored
  return { id, ...(spelled ? unspell(fields) : fields) }
}

/** The path of a field inside stored documents. */
export const storedPath = (field: string): string =>
  field === 'id' ? '_id' : field.split('.').map(spellName).join('.')

/** A value as it is inside stored documents; the value itself where nothing in it is awkward. */
export const spell = (value: Json | undefined): Json | undefined => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return spellArray(value)
  const entries = Object.entries(value)
  const spelled = entries.map(([name, inner]) => [spellName(name), spell(inner)] as const)
  const same = spelled.every(([name, inner], i) => name === entries[i]![0] && inner === entries[i]![1])
  return same ? value : Object.fromEntries(spelled)
}

/** Not every server takes arrays that stand directly in arrays: those are wrapped, under a name that no field can have. */
const spellArray = (array: readonly Json[]): Json => {
  const spelled = array.map((element) =>
    Array.isArray(element) ? { [WRAPPED]: spellArray(element) } : (spell(element) ?? null),
  )
  return spelled.some((element, i) => element !== array[i]) ? spelled : array
}

/** MongoDB gives dots and dollar signs a meaning, and cannot hold a zero in a name: such characters are percent-encoded. */
const spellName = (name: string): string =>
  AWKWARD.test(name)
    ? name.replace(LETTERS, (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`)
    : name

const unspellName = (name: string): string =>
  name.replace(/%(..)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const unspell = (value: Bson): Bson => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(unspell)
  if (WRAPPED in value) return unspell(value[WRAPPED])
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [unspellName(name), unspell(inner)]))
}
