import { contact, contacts } from '../contacts/public.ts'
import { type Ask, ask, within } from '../kernel/decide/ask.ts'
import { beside } from '../kernel/decide/bound-reader.ts'
import type { Documents } from '../kernel/decide/command.ts'
import { readerOver } from '../kernel/decide/rules.ts'
import { holderOf } from '../kernel/engine/claim-holder.ts'
import { desk } from '../kernel/engine/desk.ts'
import type { Engine } from '../kernel/engine/engine.ts'
import { claimsFor } from '../kernel/model/claim.ts'
import { keyOfAddress, keyOfWorkspace, sealUnlessErased } from '../kernel/model/personal.ts'
import type { EventLog } from '../kernel/ports/event-log.ts'
import type { Document } from '../kernel/ports/read-models.ts'
import type { Vault } from '../kernel/ports/vault.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { type Ids, withIds } from '../kernel/values/ids.ts'
import { cleanAddress, isAddress } from '../kernel/values/mailbox.ts'
import { Refusal } from '../kernel/values/refusal.ts'
import { order } from '../orders/order/model.ts'
import { price } from '../store/public.ts'
import { mapping } from './mapping.ts'
import { DELIVERY, PURCHASE } from './providers.ts'
import { delivery, purchase } from './purchase/model.ts'
import { type Buyer, buyerIn, correlationOf, type Reported, reportedIn } from './purchase/reported.ts'
import { purchaseRules } from './purchase/rules.ts'

/** Dependencies of receiving deliveries. */
export interface ReceivedBy {
  readonly engine: Pick<Engine, 'transact' | 'claimKey'>
  readonly log: Pick<EventLog, 'claimed'>
  readonly everywhere: Documents
  readonly ids: Ids
  readonly vault: Pick<Vault, 'seal' | 'token'>
}

/** Delivery whose signature is verified. */
interface Verified {
  readonly endpoint: Document
  readonly eventId: string
  readonly sentAt: string
  /** Body as it was received; `body` is the parsed form. */
  readonly text: string
  readonly body: JsonObject
  /** ISO 8601. */
  readonly at: string
  readonly requestId: string
  readonly uuid: string
}

const isTaken = (result: unknown): boolean =>
  result instanceof Refusal && result.details.some(({ code }) => code === 'taken')

const send = ({ engine }: ReceivedBy, { endpoint, at, requestId: cause }: Verified, asked: Ask) => {
  const [workspaceId, actor] = [Number(endpoint.workspace_id), { label: `provider:${endpoint.provider}` }]
  const teamId = typeof endpoint.team_id === 'number' ? endpoint.team_id : undefined
  return desk({ engine })({ actor, at, cause, teamId, workspaceId }, asked)
}

/** Adds the variant and price of a payment, by the mappings of the endpoint. */
const withSold = async (
  { everywhere: live, ids }: ReceivedBy,
  endpoint: Document,
  content: Reported,
): Promise<Reported> => {
  if (content.type !== 'payment.succeeded' || content.problem !== null || content.plan === null) return content
  const read = readerOver(beside(live, endpoint))
  const where = { external_purchase_endpoint_id: Number(endpoint.id), external_product_sku: content.plan }
  const [found] = await read.find(mapping, { where, limit: 1 })
  const foundPrice = await read.one(price, found?.products_price_id)
  if (!found || !foundPrice) return content
  const { products_variant_id: variant_id, products_price_id } = found
  const recurs = foundPrice.payment_type !== 'one_time'
  return { ...content, sold: { variant_id, products_price_id, recurs, invoice_id: ids.next('orders/invoice') } }
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

/** Returns the address of a buyer as contacts have it; `null` for a text that is no address. */
const addressOf = ({ email }: Buyer): string | null => {
  const address = email === null ? '' : cleanAddress(email)
  return isAddress(address) ? address : null
}

/** Returns the contact with the buyer's e-mail address, and creates it when there is none. */
const contactFor = async (by: ReceivedBy, given: Verified, buyer: Buyer, id: number): Promise<number> => {
  const claims = claimsFor(contact, { email_address: buyer.email }, Number(given.endpoint.workspace_id))
  const result = await send(by, given, ask(contacts, id, 'create', fieldsOf(buyer, given.uuid)))
  if (!(result instanceof Refusal)) return id
  const held = isTaken(result) ? await holderOf(by, claims) : undefined
  if (held === undefined) throw result
  return held
}

/** Purchase, with its buyer when it was just created. */
type ReceivedTarget = { readonly id: number; readonly contact_id?: number }

/** Returns the purchase that a delivery belongs to, and creates it with the first delivery. */
const purchaseFor = async (
  by: ReceivedBy,
  given: Verified,
  content: Reported,
  buyer: number | undefined,
): Promise<ReceivedTarget> => {
  const external_purchase_endpoint_id = Number(given.endpoint.id)
  const correlation = correlationOf(content, given.eventId)
  const claims = claimsFor(purchase, { external_purchase_endpoint_id, correlation })
  const held = await holderOf(by, claims)
  if (held !== undefined) return { id: held }
  const id = by.ids.next(PURCHASE)
  const order_id = by.ids.next('order')
  const contact_id = buyer ?? by.ids.next('contact')
  const wanted = { external_purchase_endpoint_id, correlation, order_id, contact_id }
  const result = await send(by, given, ask(purchaseRules, id, 'create', wanted))
  if (!(result instanceof Refusal)) return { id, contact_id }
  const concurrent = isTaken(result) ? await holderOf(by, claims) : undefined
  if (concurrent === undefined) throw result
  return { id: concurrent }
}

/** Buyer of a purchase, as far as the documents know. */
interface KnownBuyer {
  /** The contact of its order, or the number under which the purchase began, which need not be a contact. */
  readonly person: number | undefined
  /** Whether the purchase has an order. */
  readonly isPlaced: boolean
  readonly isErased: boolean
}

const buyerOf = async (
  { everywhere: live }: ReceivedBy,
  endpoint: Document,
  { id, contact_id }: ReceivedTarget,
): Promise<KnownBuyer> => {
  const read = readerOver(beside(live, endpoint))
  const known = contact_id === undefined ? await read.one(purchase, id) : undefined
  const placed = await read.one(order, known?.order_id)
  const person = placed?.contact_id ?? contact_id ?? known?.contact_id
  const found = await read.one(contact, person)
  return { person, isPlaced: placed !== undefined, isErased: found !== undefined && found.redacted_email !== null }
}

/**
 * Returns the number of the key for the body of a delivery, which is also that of the contact whom an order is placed for; `undefined` when the body
 * must not be kept, because the buyer has been erased. A first sale makes a contact of its buyer, and nothing else does.
 */
const personFor = async (
  by: ReceivedBy,
  given: Verified,
  { sold }: Reported,
  { email, name, contactId, addressKey }: Named,
  target: ReceivedTarget,
): Promise<number | undefined> => {
  if (contactId !== undefined) return contactId
  const known = await buyerOf(by, given.endpoint, target)
  if (sold !== null && email !== null && !known.isPlaced) {
    // Deliveries of earlier versions were sealed under a reserved number, which becomes that of the contact.
    const reserved = known.isErased || (known.person ?? 0) <= 0 ? undefined : known.person
    return contactFor(by, given, { email, name }, reserved ?? by.ids.next('contact'))
  }
  if (known.isErased) return undefined
  const person = known.isPlaced ? known.person : (addressKey ?? known.person ?? by.ids.next('contact'))
  return person !== undefined && (await sealUnlessErased(by.vault, person, {})) !== undefined ? person : undefined
}

/** Buyer whom a delivery names. */
interface Named extends Buyer {
  /** Contact who has the address. */
  readonly contactId: number | undefined
  /** Key of the address, where the delivery names one. */
  readonly addressKey: number | undefined
}

const namedIn = async (by: ReceivedBy, { endpoint, body }: Verified): Promise<Named> => {
  const buyer = buyerIn(body)
  const workspaceId = Number(endpoint.workspace_id)
  const email = addressOf(buyer)
  const contactId = await holderOf(by, claimsFor(contact, { email_address: email }, workspaceId))
  const addressKey = email === null ? undefined : keyOfAddress(by.vault, workspaceId, email)
  return { email, name: buyer.name, contactId, addressKey }
}

/** Stores a verified delivery once. A repeated delivery changes nothing. A policy acts on it (orders-follow.ts). */
export const receive = (by: ReceivedBy, given: Verified): Promise<void> =>
  withIds(by.ids, async () => {
    const { endpoint, eventId: external_event_id, body, text } = given
    const external_purchase_endpoint_id = Number(endpoint.id)
    const once = claimsFor(delivery, { external_purchase_endpoint_id, external_event_id })
    if ((await holderOf(by, once)) !== undefined) return
    const named = await namedIn(by, given)
    const content = await withSold(by, endpoint, reportedIn(body, given.sentAt))
    const reported =
      content.sold !== null && named.email === null
        ? { ...content, sold: null, problem: 'The buyer has no e-mail address' }
        : content
    const target = await purchaseFor(by, given, reported, named.contactId ?? named.addressKey)
    const person = await personFor(by, given, reported, named, target)
    const id = by.ids.next(DELIVERY)
    const wanted = {
      external_purchase_endpoint_id,
      external_event_id,
      event_type: reported.type,
      // Without a body there is nothing about a person.
      ...(person === undefined
        ? { contact_id: keyOfWorkspace(Number(endpoint.workspace_id)) }
        : { contact_id: person, body: text }),
      reported,
    }
    const result = await send(by, given, ask(within(purchaseRules, target.id, delivery), id, 'create', wanted))
    if (result instanceof Refusal && !isTaken(result)) throw result
  })
