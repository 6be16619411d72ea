import type { Document } from '../../kernel/ports/read-models.ts'
import type { Json, JsonObject } from '../../kernel/values/event.ts'
import { fromMinor, minorOf } from '../../kernel/values/money.ts'
import type { ReadInput } from '../read-operation.ts'
import type { Counted, Wanted } from './counted.ts'

/** Most records of which statistics are made. */
export const MOST_RECORDS = 100_000

const TOO_MANY = `More than ${MOST_RECORDS} matching records, so exact aggregates were not computed. Narrow the filter and retry.`

/** Statistics of the records that were given so far. */
export class Tallied {
  readonly #counted: Counted
  readonly #wanted: Wanted
  readonly #currency: string
  readonly #values = new Map<string, number>()
  #count = 0
  #earliest: string | null = null
  #latest: string | null = null
  #sum = 0n
  #inOthers = 0

  constructor(counted: Counted, wanted: Wanted, currency: string) {
    this.#counted = counted
    this.#wanted = wanted
    this.#currency = currency
  }

  /** Whether there are more records than statistics are made of. */
  get isTooMany(): boolean {
    return this.#count > MOST_RECORDS
  }

  async add(documents: readonly Document[], read: ReadInput['read']): Promise<void> {
    const taken = documents.slice(0, MOST_RECORDS + 1 - this.#count)
    this.#count += taken.length
    const { countBy, sum } = this.#wanted
    const within = taken.slice(0, taken.length - (this.isTooMany ? 1 : 0))
    for (const document of within) this.#addOne(document, countBy)
    if (sum !== undefined) await this.#addAmounts(within, sum, read)
  }

  #addOne(document: Document, countBy: string | undefined): void {
    const at = String(document.created_at)
    if (this.#earliest === null || at < this.#earliest) this.#earliest = at
    if (this.#latest === null || at > this.#latest) this.#latest = at
    if (countBy === undefined) return
    const value: Json | undefined = this.#counted.countBy[countBy]?.(document)
    const key = String(value ?? null)
    this.#values.set(key, (this.#values.get(key) ?? 0) + 1)
  }

  async #addAmounts(documents: readonly Document[], property: string, read: ReadInput['read']): Promise<void> {
    const { sum, currencyOf } = this.#counted
    const amounts = (await sum?.[property]?.(documents, read)) ?? []
    for (const [index, document] of documents.entries()) {
      if (currencyOf && currencyOf(document) !== this.#currency) this.#inOthers += 1
      else if (typeof amounts[index] === 'string') this.#sum += minorOf(amounts[index], this.#currency)
    }
  }

  /** Returns the statistics as answers show them. */
  shown(): JsonObject {
    const { count, countBy, createdAtRange, sum } = this.#wanted
    const isCapped = this.isTooMany
    const unavailable = isCapped
      ? [...(createdAtRange ? ['created_at_range'] : []), ...(sum === undefined ? [] : ['sum'])]
      : []
    const value = this.#count === 0 ? null : fromMinor(this.#sum, this.#currency)
    return {
      stats: {
        ...(count && {
          count: Math.min(this.#count, MOST_RECORDS),
          ...(isCapped && { count_capped_at: MOST_RECORDS }),
        }),
        ...(countBy !== undefined && {
          count_by: { property: countBy, values: Object.fromEntries(this.#values), capped: isCapped },
        }),
        ...(createdAtRange && !isCapped && { created_at_range: { min: this.#earliest, max: this.#latest } }),
        ...(sum !== undefined &&
          !isCapped && { sum: { property: sum, value, left_out_in_other_currencies: this.#inOthers } }),
      },
      ...(unavailable.length > 0 && { unavailable, unavailable_reason: TOO_MANY }),
    }
  }
}
