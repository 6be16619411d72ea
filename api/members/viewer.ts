import { createHash } from 'node:crypto'
import { contact, contacts, isContactKept } from '../../domain/contacts/public.ts'
import { isAt } from '../../domain/kernel/decide/bound-reader.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import { mailboxOf } from '../../domain/kernel/values/mailbox.ts'
import { account, accounts, openSession } from '../../domain/members/public.ts'
import { formTokens } from '../html/forms.ts'
import type { ApiContext } from '../http/context.ts'
import { newSessionSecret, sessionSecretIn } from '../page-app/session-cookie.ts'
import { findByCookie, READING, SESSION } from './cookies.ts'
import type { MemberRequest, Session, Viewer } from './request.ts'

/** What is needed to find out who sends a request. */
export type Sender = Pick<MemberRequest, 'ctx' | 'service' | 'site' | 'at'>

/** Contact with its address. */
export type Reachable = RecordOf<typeof contact> & { readonly email_address: string }

/** Account of a contact who is still there. */
export interface OpenAccount {
  readonly account: RecordOf<typeof account>
  readonly contact: Reachable
}

const isReachable = (one: RecordOf<typeof contact>): one is Reachable =>
  isContactKept(one) && one.email_address !== null

/** Returns a contact of the site that has an address, as the log has it now: a deletion in another process counts at once. */
export const contactOf = async ({ service: { engine }, site }: Sender, id: number): Promise<Reachable | undefined> => {
  const found = (await engine.records(contacts, id, -1)).root(contact)
  return found && isAt(site, found) && isReachable(found) ? found : undefined
}

/** Returns an account of the site with its contact. */
export const accountOf = async (sender: Sender, id: number): Promise<OpenAccount | undefined> => {
  const found = (await sender.service.engine.records(accounts, id, -1)).root(account)
  if (!found || !isAt(sender.site, found)) return undefined
  const owner = await contactOf(sender, found.contact_id)
  return owner && { account: found, contact: owner }
}

/** Returns the digest of a session's secret. It holds the address too, so that the session ends when the contact gets another one. */
const digestOf = (secret: string, address: string): string =>
  createHash('sha256')
    .update(`${secret}\n${mailboxOf(address)}`)
    .digest('base64url')

/** Returns the token of the forms that follow from a secret. */
export const formTokenOf = formTokens('members')

/** Returns the secret of a new session and its digest. */
export const newSession = ({ account: { id }, contact: { email_address } }: OpenAccount) => {
  const { secret, cookie } = newSessionSecret(id)
  return { cookie, digest: digestOf(secret, email_address) }
}

type SignedIn = Viewer & { readonly session: Session }

/** Returns whose session the value of a cookie is. */
const sessionOf = async (sender: Sender, value: string): Promise<SignedIn | undefined> => {
  const named = sessionSecretIn(value)
  const found = named && (await accountOf(sender, named.id))
  if (!found) return undefined
  const { secret } = named
  const digest = digestOf(secret, found.contact.email_address)
  if (!openSession(found.account, digest, sender.at)) return undefined
  const session = { accountId: found.account.id, digest, formToken: formTokenOf(sender.service, secret) }
  return { contact: found.contact, session }
}

/** Returns who is signed in in the browser of a request. */
const signedIn = (sender: Sender): Promise<SignedIn | undefined> =>
  findByCookie(sender.ctx, SESSION, (value) => sessionOf(sender, value))

/** Returns whom a link of a mail lets read the page of a request. */
const reading = (sender: Sender, { path }: Pick<ApiContext, 'path'>): Promise<Viewer | undefined> =>
  findByCookie(sender.ctx, READING, async (value) => {
    const link = sender.service.memberLinks.read(value)
    if (link?.kind !== 'reading' || link.path !== path || link.expires * 1000 <= Date.parse(sender.at)) return undefined
    const found = await contactOf(sender, link.contactId)
    return found && link.fits(found.email_address) ? { contact: found, session: undefined } : undefined
  })

/** Returns who sends a request. A link to one page counts there, unless its contact is signed in. */
export const viewerOf = async (sender: Sender): Promise<Viewer | undefined> => {
  const [member, reader] = await Promise.all([signedIn(sender), reading(sender, sender.ctx)])
  return reader && reader.contact.id !== member?.contact.id ? reader : member
}
