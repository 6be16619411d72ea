import { contactByEmail, contacts } from '../../contacts/public.ts'
import { type Ask, ask } from '../../kernel/decide/ask.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import { group, list, text } from '../../kernel/model/fields.ts'
import { isJsonObject, type JsonObject } from '../../kernel/values/event.ts'
import { mailboxOf } from '../../kernel/values/mailbox.ts'
import type { Refusal } from '../../kernel/values/refusal.ts'
import { emailAddress } from '../../resources/attributes/email-address.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { isAddressComplete } from '../settings/view.ts'
import { senderAt, sendersOf } from './readiness.ts'

const MOST = 1000

/** People that a request names. */
export const recipients = list(
  group({
    email: emailAddress({ required: true }),
    first_name: text({ nullable: true }),
    last_name: text({ nullable: true }),
  }),
  { nullable: true, max: MOST, about: 'Made contacts, or found by their addresses; they win over filter_id' },
)

/** Returns the people of a request by their mailboxes. Each is one person, however often and in whatever spelling. */
const byMailbox = (sent: JsonObject['recipients']): ReadonlyMap<string, JsonObject> => {
  const found = new Map<string, JsonObject>()
  for (const one of Array.isArray(sent) ? sent : []) {
    const mailbox = isJsonObject(one) ? mailboxOf(String(one.email)) : ''
    if (isJsonObject(one) && !found.has(mailbox)) found.set(mailbox, one)
  }
  return found
}

/** Whether the rest of the request would be refused anyhow. Then no contact is made. */
const isHopeless = async ({ owner, read, fields }: WriteInput): Promise<boolean> => {
  const workspaceId = Number(owner?.id)
  const senders = await sendersOf(workspaceId, readerOver(read))
  return !(await isAddressComplete(workspaceId, read)) || !senderAt(senders, String(fields.from_email))
}

/** Finds the contacts of the people that a request names, and makes those who are none yet. */
export const recipientContacts = async (
  input: WriteInput,
  carryOut: (ask: Ask) => Promise<Refusal | undefined>,
): Promise<JsonObject | Refusal> => {
  const people = byMailbox(input.fields.recipients)
  if (people.size === 0 || (await isHopeless(input))) return {}
  // All ids are minted before anything is made, since minting may begin the request anew.
  const asked = [...people.values()].map((person) => ({ person, id: input.mint(contacts) }))
  const ids: number[] = []
  for (const { person, id } of asked) {
    const email_address = String(person.email)
    const known = await contactByEmail(email_address, input)
    ids.push(known ?? id)
    if (known !== undefined) continue
    const names = { first_name: nameOf(person.first_name), last_name: nameOf(person.last_name) }
    const fields = { email_address, ...names, uuid: input.uuid() }
    const refusal = await carryOut(ask(contacts, id, 'create', fields, { isNew: true }))
    if (refusal) return refusal
  }
  return { recipient_ids: ids }
}

const nameOf = (name: JsonObject[string] | undefined): string | null => (typeof name === 'string' ? name : null)
