import { randomUUID } from 'node:crypto'
import { contact, contacts } from '../../domain/contacts/public.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import { holderOf } from '../../domain/kernel/engine/claim-holder.ts'
import type { Outcome, Repeated } from '../../domain/kernel/engine/transaction.ts'
import { claimsFor } from '../../domain/kernel/model/claim.ts'
import type { ClaimToTake } from '../../domain/kernel/ports/event-log.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { withIds } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import type { Typed } from '../../domain/visits/public.ts'
import type { SdkService } from './service.ts'
import type { Sender, Visitors } from './visitor.ts'

/** Details of a visitor, as typed. */
export interface Details {
  readonly typed: Typed
  readonly attributes: Readonly<Record<string, string>>
  /** Whether a new contact is to confirm that it wants mail. */
  readonly isDouble?: boolean
  /** Claim of what is sent on being the first of its kind, with a note that tells it from others. It is taken with the write. */
  readonly once?: ClaimToTake | undefined
}

/** Says that something else came first under the same claim. */
export class CameSecond extends Error {}

/** Returns the result of a command that was sent under a claim, also of a repeat. @throws {CameSecond} */
export const firstUnder = (
  once: ClaimToTake | undefined,
  result: Outcome | Repeated | Refusal,
): Outcome | Repeated | Refusal => {
  if (!(result instanceof Refusal) && 'repeatOf' in result && result.repeatOf.note !== once?.note)
    throw new CameSecond()
  return result
}

const TRIES = 3
const MOST = 255

/** Returns a detail that a contact can have; longer ones stay in the submission alone. */
const fitting = (value: string | undefined): string | undefined =>
  value !== undefined && value.length <= MOST ? value : undefined

/** Returns the fields that a contact gets. A name in one piece is never split: it is the first name of a contact who has no name yet. */
const fieldsOf = ({ typed, attributes }: Details, hasName: boolean): JsonObject => {
  const [first, last, whole] = [fitting(typed.first_name), fitting(typed.last_name), fitting(typed.name)]
  const phone = fitting(typed.phone)
  return {
    ...(first !== undefined && { first_name: first }),
    ...(last !== undefined && { last_name: last }),
    ...(first === undefined && last === undefined && whole !== undefined && !hasName && { first_name: whole }),
    ...(phone !== undefined && { phone_number: phone }),
    ...(Object.keys(attributes).length > 0 && { custom_attributes: attributes }),
  }
}

/** Returns the id of the contact that the first time was about. */
const repeatedIn = (result: Outcome | Repeated | undefined): number | undefined =>
  result && 'repeatOf' in result ? parseStream(result.repeatOf.stream).id : undefined

const isOf = (result: unknown, ...codes: readonly string[]): boolean =>
  result instanceof Refusal && result.details.some(({ code }) => codes.includes(code))

/** Creates the function that finds or makes the contact of a visitor. What was not typed stays as it is; nobody is subscribed again. */
export const contactOf = ({ engine, log, ids }: SdkService, visitors: Visitors) => {
  const knownBy = (email: string, workspaceId: number) =>
    holderOf({ engine, log }, claimsFor(contact, { email_address: email }, workspaceId))

  /** Carries out a command without the custom attributes if the contact cannot have them. */
  const send = async (id: number, act: 'create' | 'change', wanted: JsonObject, { once }: Details, sender: Sender) => {
    const carryOut = async (fields: JsonObject) =>
      firstUnder(once, await visitors.send(ask(contacts, id, act, fields), sender, once))
    const result = await carryOut(wanted)
    const { custom_attributes: attributes, ...others } = wanted
    const isTooMuch = result instanceof Refusal && result.details.some(({ field }) => field === 'custom_attributes')
    return isTooMuch && attributes ? carryOut(others) : result
  }

  const change = async (id: number, details: Details, sender: Sender) => {
    const known = (await engine.records(contacts, id, -1)).root(contact)
    const hasName = Boolean(known?.first_name || known?.last_name)
    const wanted = fieldsOf(details, hasName)
    return Object.keys(wanted).length === 0 && !details.once ? undefined : send(id, 'change', wanted, details, sender)
  }

  const create = (email: string, details: Details, sender: Sender) =>
    withIds(ids, async () => {
      const id = ids.next(contact.name)
      const unconfirmed = details.isDouble === true && { unconfirmed: true }
      const wanted = { ...fieldsOf(details, false), email_address: email, uuid: randomUUID(), ...unconfirmed }
      return { id, result: await send(id, 'create', wanted, details, sender) }
    })

  /** Returns the contact with an address. Another request may make or end the same contact meanwhile. */
  const withAddress = async (email: string, details: Details, sender: Sender): Promise<number> => {
    let last: Awaited<ReturnType<typeof change>>
    for (let tries = 0; tries < TRIES; tries++) {
      const held = await knownBy(email, sender.found.workspaceId)
      const made = held === undefined ? await create(email, details, sender) : undefined
      last = made ? made.result : await change(held!, details, sender)
      if (!(last instanceof Refusal)) return repeatedIn(last) ?? made?.id ?? held!
      if (!isOf(last, 'taken') && last.kind !== 'notFound') break
    }
    throw last
  }

  /** Returns the id of the contact: that with the typed address, or else that of the session, if there is one. */
  return async (details: Details, ofSession: number | null, sender: Sender): Promise<number | null> => {
    const { email } = details.typed
    if (email !== undefined) return withAddress(email, details, sender)
    if (ofSession === null) return null
    const result = await change(ofSession, details, sender)
    if (result instanceof Refusal && result.kind !== 'notFound') throw result
    return result instanceof Refusal ? null : (repeatedIn(result) ?? ofSession)
  }
}
