import { isJsonObject, type Json, type JsonObject } from '../../../domain/kernel/values/event.ts'
import { cleanAddress, isAddress } from '../../../domain/kernel/values/mailbox.ts'
import type { Typed } from '../../../domain/visits/public.ts'
import { SdkRefusal } from '../refusal.ts'
import { invalid, optionalText, type StateError } from './read-cart.ts'

/** Buyer, as typed. */
export type Buyer = Typed & { readonly email: string }

/** Reads the contact of a call. @throws {SdkRefusal} bad request, for what the SDK never sends */
export const buyerIn = (body: JsonObject): Buyer | StateError => {
  const sent: Json = body.contact ?? null
  if (!isJsonObject(sent)) throw new SdkRefusal('bad_request', 'contact must be an object')
  const text = (name: string) => optionalText(sent, name, `contact.${name}`)
  const email = cleanAddress(text('email') ?? '')
  if (email === '') return invalid("E-mail address can't be blank", 'email', 'blank')
  if (!isAddress(email)) return invalid('E-mail address is invalid', 'email', 'invalid')
  const typed = (['first_name', 'last_name', 'name', 'phone'] as const).map((field) => [field, text(field)] as const)
  return { email, ...Object.fromEntries(typed.filter(([, value]) => value !== null)) }
}
