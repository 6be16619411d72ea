import { contact, contacts } from '../contacts/public.ts'
import { type Ask, ask, stampCommand, within } from '../kernel/decide/ask.ts'
import type { FactReader } from '../kernel/decide/command.ts'
import { readerOver } from '../kernel/decide/rules.ts'
import type { Engine } from '../kernel/engine/engine.ts'
import type { ClaimWanted } from '../kernel/model/claim.ts'
import { claimOn } from '../kernel/model/claim.ts'
import type { Model } from '../kernel/model/model.ts'
import type { EventLog } from '../kernel/ports/event-log.ts'
import type { Document } from '../kernel/ports/read-models.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { type Ids, withIds } from '../kernel/values/ids.ts'
import { Refusal, refuse } from '../kernel/values/refusal.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { price } from '../store/public.ts'
import { mapping } from './mapping.ts'
import { DELIVERY, PURCHASE } from './providers.ts'
import { delivery, purchase } from './purchase/model.ts'
import { type Buyer, buyerIn, correlationOf, type Reported, reportedIn } from './purchase/reported.ts'
import { purchaseRules } from './purchase/rules.ts'

/** What deliveries are taken in with. */
export interface ReceivedBy {
  readonly engine: Pick<Engine, 'transact' | 'claimKey'>
  readonly log: Pick<EventLog, 'claimed'>
  readonly live: FactReader
  readonly ids: Ids
}

/** A delivery whose signature was checked. */
interface Verified {
  readonly endpoint: Document
  readonly eventId: string
  readonly sentAt: string
  /** The body as it came, and what it says. */
  readonly text: string
  readonly body: JsonObject
  /** ISO 8601. */
  readonly at: string
  readonly requestId: string
  readonly uuid: string
}

const isTaken = (result: unknown): boolean =>
  result instanceof Refusal && result.details.some(({ code }) => code === 'taken')

/** The first claim of a record of a model on these values. */
const claimFor = (of: Model, values: JsonObject, workspaceId?: number): ClaimWanted | undefined => {
  const [unique] = of.unique
  return unique && claimOn(of, unique, values, workspaceId)
}

/** The stream that holds what is claimed. @throws {Refusal} unavailable, while that is being decided */
const holderOf = async ({ log, engine }: ReceivedBy, claim: ClaimWanted | undefined): Promise<number | undefined> => {
  const held = claim && (await log.claimed(engine.claimKey(claim)))
  if (held?.undecided) throw refuse.unavailable('the same is being done; try again')
  return held && parseStream(held.stream).id
}

const tell = async ({ engine }: ReceivedBy, { endpoint, at, requestId }: Verified, asked: Ask) => {
  const workspaceId = Number(endpoint.workspace_id)
  return engine.transact({
    ...stampCommand(asked, { at, actor: { label: `provider:${endpoint.provider}` } }),
    workspaceId,
    ...(typeof endpoint.team_id === 'number' && { teamId: endpoint.team_id }),
    causationId: requestId,
    correlationId: requestId,
  })
}

/** What of the catalogue a payment is for, by the mappings of the endpoint. */
const withSold = async ({ live, ids }: ReceivedBy, endpoint: Document, said: Reported): Promise<Reported> => {
  if (said.type !== 'payment.succeeded' || said.problem !== null || said.plan === null) return said
  const read = readerOver(live)
  const where = { external_purchase_endpoint_id: Number(endpoint.id), external_product_sku: said.plan }
  const [found] = await read.find(mapping, { where, limit: 1 })
  const at = await read.one(price, found?.products_price_id)
  if (!found || !at) return said
  const { products_variant_id: variant_id, products_price_id } = found
  const recurs = at.payment_type !== 'one_time'
  return { ...said, sold: { variant_id, products_price_id, recurs, invoice_id: ids.next('orders/invoice') } }
}

const fieldsOf = ({ email, name }: Buyer, uuid: string) => {
  const [first_name = '', ...rest] = (name ?? '').trim().split(/\s+/)
  return {
    email_address: email,
    uuid,
    ...(first_name && { first_name }),
    ...(rest.length > 0 && { last_name: rest.join(' ') }),
  }
}

const isAddress = (email: string): boolean => 'value' in contact.attributes.email_address.parse(email, { ids: NO_IDS })
const NO_IDS = { of: () => ({ encode: () => '', decode: () => undefined, parse: () => undefined }) }

/** The contact with an e-mail address, which is made when there is none. */
const contactFor = async (by: ReceivedBy, given: Verified, buyer: Buyer, id: number): Promise<number> => {
  const claim = claimFor(contact, { email_address: buyer.email }, Number(given.endpoint.workspace_id))
  const result = await tell(by, given, ask(contacts, id, 'create', fieldsOf(buyer, given.uuid)))
  if (!(result instanceof Refusal)) return id
  const held = isTaken(result) ? await holderOf(by, claim) : undefined
  if (held === undefined) throw result
  return held
}

/** A purchase, with its buyer where it has just begun. */
type ReceivedTarget = { readonly id: number; readonly contact_id?: number }

/** The stream of all that is delivered of one purchase, begun with the first. */
const purchaseFor = async (
  by: ReceivedBy,
  given: Verified,
  said: Reported,
  buyer: number | undefined,
): Promise<ReceivedTarget> => {
  const external_purchase_endpoint_id = Number(given.endpoint.id)
  const correlation = correlationOf(said, given.eventId)
  const claim = claimFor(purchase, { external_purchase_endpoint_id, correlation })
  const held = await holderOf(by, claim)
  if (held !== undefined) return { id: held }
  const id = by.ids.next(PURCHASE)
  const order_id = by.ids.next('order')
  const contact_id = buyer ?? by.ids.next('contact')
  const wanted = { external_purchase_endpoint_id, correlation, order_id, contact_id }
  const result = await tell(by, given, ask(purchaseRules, id, 'create', wanted))
  if (!(result instanceof Refusal)) return { id, contact_id }
  const other = isTaken(result) ? await holderOf(by, claim) : undefined
  if (other === undefined) throw result
  return { id: other }
}

/** Under whose key the body is kept: the buyer's, who may not be a contact yet, or whoever comes in place of one that was erased. */
const personOf = async ({ live, ids }: ReceivedBy, { id, contact_id }: ReceivedTarget): Promise<number> => {
  if (contact_id !== undefined) return contact_id
  const read = readerOver(live)
  const person = (await read.one(purchase, id))?.contact_id ?? ids.next('contact')
  const before = await read.one(contact, person)
  return before && before.redacted_email !== null ? ids.next('contact') : person
}

/** Keeps a verified delivery, once: one that has come before changes nothing. What it comes to follows (orders-follow.ts). */
export const receive = (by: ReceivedBy, given: Verified): Promise<void> =>
  withIds(by.ids, async () => {
    const { endpoint, eventId: external_event_id, body, text } = given
    const external_purchase_endpoint_id = Number(endpoint.id)
    const once = claimFor(delivery, { external_purchase_endpoint_id, external_event_id })
    if ((await holderOf(by, once)) !== undefined) return
    const buyer = buyerIn(body)
    const email = buyer.email !== null && isAddress(buyer.email) ? buyer.email : null
    const of = { email_address: email }
    const known = await holderOf(by, claimFor(contact, of, Number(endpoint.workspace_id)))
    const said = await withSold(by, endpoint, reportedIn(body, given.sentAt))
    const reported =
      said.sold !== null && email === null ? { ...said, sold: null, problem: 'The buyer has no e-mail address' } : said
    const place = await purchaseFor(by, given, reported, known)
    const person = known ?? (await personOf(by, place))
    const contact_id =
      reported.sold === null || known !== undefined ? person : await contactFor(by, given, { ...buyer, email }, person)
    const id = by.ids.next(DELIVERY)
    const wanted = {
      external_purchase_endpoint_id,
      external_event_id,
      event_type: reported.type,
      contact_id,
      reported,
      body: text,
    }
    const result = await tell(by, given, ask(within(purchaseRules, place.id, delivery), id, 'create', wanted))
    if (result instanceof Refusal && !isTaken(result)) throw result
  })
