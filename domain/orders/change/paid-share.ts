import type { RecordOf } from '../../kernel/model/model.ts'
import { minorOf } from '../../kernel/values/money.ts'
import type { invoice } from '../invoice/model.ts'
import type { transaction } from '../transaction/model.ts'

type Invoice = RecordOf<typeof invoice>
type Transaction = RecordOf<typeof transaction>

/** A fraction: what was paid of what was due. */
export interface Share {
  /** From 0 to `due`. */
  readonly paid: bigint
  /** Above 0. */
  readonly due: bigint
}

/** Share of a period that was paid, and all that came in for it, which nothing can be worth more than. */
export interface PaidShare extends Share {
  /** Minor units, with a credit that was itself paid for. */
  readonly received: bigint
}

/** Everything was paid, or nothing was due. */
const WHOLE: Share = { paid: 1n, due: 1n }

const sumOf = <T>(all: readonly T[], minor: (one: T) => bigint): bigint =>
  all.reduce((sum, one) => sum + minor(one), 0n)

/** Money that arrived for an invoice, less what was given back or is about to be, in minor units. */
const receivedFor = ({ id }: Invoice, transactions: readonly Transaction[]): bigint => {
  const own = transactions.filter(({ invoice_id, result }) => invoice_id === id && result === 'approved')
  const leaving = new Set(own.filter(({ refunding }) => refunding).map((one) => one.id))
  return sumOf(
    own.filter((one) => !leaving.has(one.id) && !leaving.has(one.adjusted_transaction_id ?? 0)),
    ({ external_type, amount, currency }) => (external_type === 'refund' ? -1n : 1n) * minorOf(amount, currency),
  )
}

const totalOf = ({ total_amount, currency }: Invoice): bigint => minorOf(total_amount, currency)

/** Credit for the period before that an invoice took off its amount: only one that begins a period in between has it. */
const creditOf = ({ invoice_type, period, discount, currency }: Invoice): bigint =>
  invoice_type === 'interim' && period !== null ? minorOf(discount ?? '0', currency) : 0n

/** Invoices that we charge, by the period that they pay for, oldest first. */
const byPeriod = (invoices: readonly Invoice[]): readonly (readonly Invoice[])[] => {
  const groups: Invoice[][] = []
  for (const one of invoices.filter(({ automatic }) => automatic)) {
    if (one.period !== null || groups.length === 0) groups.push([one])
    else groups.at(-1)?.push(one)
  }
  return groups
}

/**
 * Whether the newest invoice of a period is for the rest of it, and was paid. It made up for what was not paid before, so that
 * the rest is paid as a whole.
 */
const isMadeUp = (group: readonly Invoice[], transactions: readonly Transaction[]): boolean => {
  const last = group.at(-1)
  return last?.period === null && last.invoice_type === 'interim' && receivedFor(last, transactions) >= totalOf(last)
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/**
 * Returns how much of a period was paid, by the amounts in the order: not what was free, discounted or given back. A credit
 * counts as paid as far as the period that it came from was.
 *
 * @param period period of the order's plan, from 0
 */
export const paidShare = (
  period: number,
  invoices: readonly Invoice[],
  transactions: readonly Transaction[],
): PaidShare => {
  let value = 0n
  for (const group of byPeriod(invoices)) {
    const credit = sumOf(group, creditOf)
    const due = sumOf(group, (one) => totalOf(one) + minorOf(one.discount ?? '0', one.currency))
    const received = sumOf(group, (one) => receivedFor(one, transactions))
    const all = received + least(credit, value)
    value = least(all < 0n ? 0n : all, due)
    if (group[0]?.period !== period) continue
    const isWhole = due === 0n || isMadeUp(group, transactions)
    return { ...(isWhole ? WHOLE : { paid: value, due }), received: value }
  }
  return { paid: 0n, due: 1n, received: 0n }
}
