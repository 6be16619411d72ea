import { setTimeout as sleep } from 'node:timers/promises'
import { readEverywhere } from '../../../domain/kernel/decide/rules.ts'
import { BANK, checkout, RUNNING } from '../../../domain/orders/public.ts'
import { READ_YOUR_WRITES_MS } from '../../read-your-writes.ts'
import type { SdkCall } from '../calls.ts'
import type { SdkService } from '../service.ts'
import type { Visitors } from '../visitor.ts'
import { answered, type CheckoutRecord, checkoutOf, standingOf } from './status.ts'

/** What a visitor is about to pay for. */
export interface AboutToPay {
  /** Name of its cart. */
  readonly cart: string
  /** Sessions of the visitor: that of the browser, and that of who pays. */
  readonly sessions: readonly number[]
  readonly lines: readonly LineOf[]
}

type LineOf = { readonly variant_id: number; readonly products_price_id: number; readonly quantity: number }

/** The visitor's checkouts of other carts. */
export interface Others {
  /** Those of late, as they are in the log. */
  readonly recent: readonly CheckoutRecord[]
  /** Id of the last one of the same lines, whenever that was; 0 where there is none. */
  readonly last: number
}

/** Time for which a checkout of the same visitor concerns the next one. */
const CONCERNS_MS = 15 * 60_000
const LOOK_MS = 50
const PATIENCE_MS = 8000

/** Names prices and quantities, whatever their order. */
export const nameOf = (lines: readonly LineOf[]): string =>
  lines
    .map(({ variant_id, products_price_id, quantity }) => `${variant_id}/${products_price_id} x ${quantity}`)
    .toSorted()
    .join()

/** Returns whether a checkout is for the same prices and quantities as what a visitor is about to pay for. */
export const isOfSame = ({ lines }: CheckoutRecord, wanted: AboutToPay): boolean =>
  nameOf(lines ?? []) === nameOf(wanted.lines)

/**
 * Returns the checkouts of other carts that a visitor's browser has begun. They are those of its sessions, and of those
 * that it has left for them. Addresses that are typed tell nothing about who sits there.
 */
const othersOf = async (
  service: SdkService,
  visitors: Visitors,
  { found, body }: SdkCall,
  { cart, sessions: own }: AboutToPay,
): Promise<readonly CheckoutRecord[]> => {
  const { log, progress, everywhere: live } = service
  // Without those that cannot be read in time a payment is still better than none.
  await progress.reached(await log.lastPosition(), READ_YOUR_WRITES_MS)
  const sessions = own.flatMap((id) => [id, ...visitors.leftFor(id, body.session, found)])
  const begun = await readEverywhere(live).find(checkout, { where: { session_id: { $in: sessions } } })
  return begun.filter((one) => one.cart !== cart)
}

const isWaiting = ({ status, step }: CheckoutRecord): boolean => status === RUNNING && step === BANK

/** Returns a checkout as soon as it is paid, or holds nothing any more, or takes too long. */
export const settled = async (service: SdkService, id: number): Promise<CheckoutRecord | undefined> => {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const found = await checkoutOf(service, id)
    if (['paid', 'refused'].includes(standingOf(found).status) || performance.now() > until) return found
    await sleep(LOOK_MS)
  }
}

/**
 * Ends the visitor's other checkouts that wait for the bank and may keep back what is wanted now, as one whose tab was closed does. The gateway says
 * what became of each: one that the buyer has confirmed is completed, and of any other the charge is canceled, or watched.
 *
 * @returns the visitor's other checkouts, as they then are
 */
export const makeRoom = async (
  service: SdkService,
  visitors: Visitors,
  call: SdkCall,
  wanted: AboutToPay,
): Promise<Others> => {
  const variants = new Set(wanted.lines.map(({ variant_id }) => variant_id))
  const begun = await othersOf(service, visitors, call, wanted)
  const since = new Date(Date.parse(visitors.at(call.found)) - CONCERNS_MS).toISOString()
  const ids = begun.filter(({ created_at }) => created_at > since).map(({ id }) => id)
  const others = (await Promise.all(ids.map((id) => checkoutOf(service, id)))).filter((one) => one !== undefined)
  const after = others.map(async (other) => {
    const isInTheWay = isWaiting(other) && other.lines?.some(({ variant_id }) => variants.has(variant_id))
    if (!isInTheWay) return other
    await answered(visitors, call, other, null)
    return (await settled(service, other.id)) ?? other
  })
  const last = Math.max(0, ...begun.filter((one) => isOfSame(one, wanted)).map(({ id }) => id))
  return { recent: await Promise.all(after), last }
}
