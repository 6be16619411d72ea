import type { JsonObject } from '../../kernel/values/event.ts'
import { numberPlaceholder, seriesOf, workspaceCounter } from '../../kernel/values/sequence-numbers.ts'

const SEQUENCE = 'orders/invoice.number'
/** Flag of invoices that are numbered by themselves: those of test orders. Former versions numbered these with the others. */
export const TEST_SERIES = 'test_series'

/** The first invoice of a series has the number after this one. */
const BEFORE_FIRST = 1000
/** Numbers as they are given. */
const GIVEN = /^(INV|TEST)-([1-9]\d{3,14})$/

/** What the number of an invoice follows from: the one that was set by hand, or its place in its series. */
export interface Numbered {
  readonly invoice_number: string | null
  readonly number: number
  readonly test_series: boolean
}

/** Returns the number that people see: the one that was set by hand, otherwise the workspace's own. */
export const numberOf = ({ invoice_number, number, test_series }: Numbered): string =>
  invoice_number ?? `${test_series ? 'TEST' : 'INV'}-${BEFORE_FIRST + number}`

const scopeOf = (isTest: boolean): string => seriesOf(SEQUENCE, isTest ? TEST_SERIES : undefined)

/** Returns the place of a new invoice in its series. */
export const nextNumber = (workspaceId: number, test_series: boolean): number =>
  numberPlaceholder(workspaceCounter(scopeOf(test_series), workspaceId))

/** Returns the place in a series at which a number is given; `undefined` for one that never is. */
export const placeOf = (invoice_number: string) => {
  const [, prefix, digits] = GIVEN.exec(invoice_number) ?? []
  const place = Number(digits) - BEFORE_FIRST
  return place > 0 ? { scope: scopeOf(prefix === 'TEST'), value: place } : undefined
}

/** Returns what an invoice claims. A number that is set by hand is claimed as its place where it has one, so that it is passed over. */
export const claimedNumber = ({ invoice_number, number, test_series }: JsonObject) =>
  typeof invoice_number === 'string'
    ? (placeOf(invoice_number) ?? { scope: 'orders/invoice.invoice_number', value: invoice_number })
    : { scope: scopeOf(test_series === true), value: number }
