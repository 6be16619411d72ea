import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseStream } from '../../../domain/kernel/values/stream-name.ts'
import { PURCHASE } from '../../../domain/orders/public.ts'
import type { SdkCall } from '../calls.ts'
import { SdkRefusal } from '../refusal.ts'
import type { SdkService } from '../service.ts'
import type { Visitors } from '../visitor.ts'
import { Overtaken } from './begin.ts'
import { type AboutToPay, isOfSame, makeRoom, nameOf, settled } from './other-checkouts.ts'
import { type CheckoutRecord, checkoutOf, standingOf } from './status.ts'

/** Time after a purchase in which the visitor is asked before they buy the same again. */
const ASKED_MS = 2 * 60_000
const MOST_TRIES = 10
const LOOK_MS = 50
const MOST_LOOKS = 40

const beingBegun = () => new SdkRefusal('unavailable', 'The payment is being begun; try again', 1)

/** Reads whether a visitor has said that they want to buy the same again. @throws {SdkRefusal} bad request, for what the SDK never sends */
const againIn = ({ again = false }: SdkCall['body']): boolean => {
  if (typeof again === 'boolean') return again
  throw new SdkRefusal('bad_request', 'again must be true or false')
}

/** What somebody is about to pay for. The next person at a shared computer is not told what the one before bought. */
interface AboutToBuy extends AboutToPay {
  readonly contactId: number
}

/** Refuses to sell again what a visitor has bought of late, or may be buying. */
const refuseAgain = async (
  service: SdkService,
  visitors: Visitors,
  { found }: SdkCall,
  others: readonly CheckoutRecord[],
): Promise<void> => {
  const since = new Date(Date.parse(visitors.at(found)) - ASKED_MS).toISOString()
  const recent = others.filter(({ updated_at }) => updated_at > since)
  const settling = recent.map(async (one) => standingOf(await settled(service, one.id)).status)
  const standings = await Promise.all(settling)
  if (standings.includes('paid')) throw new SdkRefusal('bought_already', 'You bought this a minute ago')
  if (standings.some((status) => status === 'pending' || status === 'action'))
    throw new SdkRefusal('bought_already', 'You are paying for this already')
}

/** Returns the id of the checkout that follows another one, as soon as that is decided; `undefined` where it has failed meanwhile. */
const followerOf = async ({ log, engine }: SdkService, purchase: string): Promise<number | undefined> => {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const claim = await log.claimed(engine.claimKey({ scope: PURCHASE, value: purchase }))
    if (!claim) return undefined
    if (!claim.undecided) return parseStream(claim.stream).id
    await sleep(LOOK_MS)
  }
  throw beingBegun()
}

/**
 * Begins a purchase from a page, unless the visitor has just bought the same by another cart, as in another tab, and was not asked yet. Of purchases
 * that begin at the same moment one does, and the others learn of it.
 *
 * @param begin begins it, as the one that follows the visitor's last
 * @throws {SdkRefusal} bought already, before anything is charged
 */
export const buyOnce = async (
  service: SdkService,
  visitors: Visitors,
  call: SdkCall,
  wanted: AboutToBuy,
  begin: (purchase: string) => Promise<number | undefined>,
): Promise<number | undefined> => {
  const isAgain = againIn(call.body)
  const ask = async (others: readonly CheckoutRecord[]) => {
    const own = others.filter(({ contact_id }) => contact_id === wanted.contactId)
    if (!isAgain) await refuseAgain(service, visitors, call, own)
  }
  const lines = createHash('sha256').update(nameOf(wanted.lines)).digest('base64url').slice(0, 22)
  const { recent, last } = await makeRoom(service, visitors, call, wanted)
  await ask(recent.filter((one) => isOfSame(one, wanted)))
  let before = last
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const purchase = `${wanted.sessions[0]}/${lines}/${before}`
    try {
      return await begin(purchase)
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error
    }
    const follower = await followerOf(service, purchase)
    const other = follower === undefined ? undefined : await checkoutOf(service, follower)
    if (other) await ask([other])
    before = follower ?? before
  }
  throw beingBegun()
}
