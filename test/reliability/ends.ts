import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import { isJsonObject, type Json } from '../../domain/kernel/values/event.ts'
import { allDocuments } from '../support/documents.ts'

const WORD = /^[a-z][a-z_]{0,29}$/

/** Fields whose texts are made by chance, which now and then makes a word. */
const RANDOM: ReadonlySet<string> = new Set(['public_id', 'hint'])

/** Sums of mails by time, and the outcomes of a broadcast. */
const MAIL_SUMS = 'emails/sum'

const totalOf = (numbers: readonly unknown[]): number => numbers.reduce<number>((sum, one) => sum + Number(one), 0)

/** Returns what a value says about how something ended: a word, a yes or no, how many, or that it is there at all. */
const endOf = (name: string, value: unknown): string => {
  // In how many appends they are taken depends on how quickly the mails before them go.
  if (name === 'takings' && Array.isArray(value)) return `${totalOf(value.map(({ count }) => count))} mails`
  if (typeof value === 'boolean' || value === null) return String(value)
  if (typeof value === 'number') return name.endsWith('_count') || name.endsWith('_cents') ? String(value) : 'a number'
  if (typeof value === 'string') return WORD.test(value) && !RANDOM.has(name) ? value : 'a text'
  return Array.isArray(value) ? `${value.length} entries` : 'an object'
}

/** Yields the numbers that a value has under each name, at any depth. */
function* numbersIn(value: Json | undefined, name = ''): Generator<readonly [name: string, number: number]> {
  if (typeof value === 'number') yield [name, value]
  // Cells of a time have its number as their name.
  else if (isJsonObject(value))
    for (const [key, part] of Object.entries(value)) yield* numbersIn(part, /^\d+$/.test(key) ? name : key)
}

/** Yields what documents sum up. Over how many hours or minutes they spread depends on when it happened, and how much it is together does not. */
function* sumsIn(documents: Iterable<Document>): Generator<readonly [name: string, number: number]> {
  for (const { id, position: _, ...content } of documents) {
    const kind = String(id).replace(/\d+/g, '')
    for (const [name, number] of numbersIn(content)) yield [`${kind} ${name}`, number]
  }
}

/** Returns for each field of each collection how many documents ended in each way. */
export const endsOf = async (live: Pick<ReadModels, 'find'>): Promise<ReadonlyMap<string, number>> => {
  const ends = new Map<string, number>()
  const add = (end: string, count: number) => void ends.set(end, (ends.get(end) ?? 0) + count)
  for (const [name, documents] of await allDocuments(live)) {
    if (name === MAIL_SUMS) for (const [sum, number] of sumsIn(documents.values())) add(`${name} ${sum}`, number)
    else
      for (const document of documents.values())
        for (const [field, value] of Object.entries(document)) add(`${name} ${field}: ${endOf(field, value)}`, 1)
  }
  return ends
}

/** Returns which ends differ, and how. */
export const differencesOf = (
  found: ReadonlyMap<string, number>,
  wanted: ReadonlyMap<string, number>,
): readonly string[] =>
  [...new Set([...found.keys(), ...wanted.keys()])]
    .filter((end) => found.get(end) !== wanted.get(end))
    .map((end) => `${end}: ${found.get(end) ?? 0} in place of ${wanted.get(end) ?? 0}`)
    .sort()
