import { encodeInTurns } from '../domain/kernel/values/encode-in-turns.ts'
import { isJsonObject, type Json } from '../domain/kernel/values/event.ts'
import { type MaybePromise, mapMaybe } from '../domain/kernel/values/maybe-promise.ts'
import { timeSlices } from '../domain/kernel/values/turns.ts'
import type { Fragment, Page } from './fragments.ts'

/** Number of characters from which on a page is put together in several turns of the event loop. */
const LARGE_PAGE = 1024 * 1024
const COMMA = ','

/** Returns a page as it is sent: a large one in parts, which are its beginning, its records with commas between them, and its end. */
const pageText = (fragments: readonly Fragment[], envelope: string | undefined): MaybePromise<Page['text']> => {
  const [begin, end] = envelope === undefined ? ['[', ']'] : [`{${JSON.stringify(envelope)}:[`, ']}']
  const length = fragments.reduce((sum, { text }) => sum + text.length, 0)
  if (length < LARGE_PAGE) return `${begin}${fragments.map(({ text }) => text).join(COMMA)}${end}`
  const items = fragments.flatMap(({ text }, n) => (n === 0 ? [text] : [COMMA, text]))
  return encodeInTurns([begin, ...items, end])
}

/** Returns a page of these records. */
export const pageOf = (
  fragments: readonly Fragment[],
  more: boolean,
  envelope: string | undefined,
): MaybePromise<Page> =>
  mapMaybe(pageText(fragments, envelope), (text) => {
    const last = fragments.at(-1)?.frame
    return { text, ...(last && { last }), more, cuts: fragments.flatMap(({ cuts }) => cuts) }
  })

/** Reads an answer as it is sent. Of a large page, some records are read in each turn of the event loop. */
export const parseInTurns = async (text: Page['text']): Promise<Json> => {
  if (typeof text === 'string' || Buffer.isBuffer(text)) return JSON.parse(text.toString())
  const pause = timeSlices()
  const records: Json[] = []
  // Every other part is a comma.
  for (let at = 1; at < text.length - 1; at += 2) {
    records.push(JSON.parse(text[at]!.toString()))
    await pause()
  }
  const around: Json = JSON.parse(`${text[0]}${text.at(-1)}`)
  const list = isJsonObject(around) ? Object.values(around)[0] : around
  if (Array.isArray(list)) for (const record of records) list.push(record)
  return around
}
