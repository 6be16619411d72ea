import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
import { type Signed, signedTexts } from '../signed-texts.ts'

/** What carries a session to a page on another domain, in the fragment of its address. */
export type Ticket = {
  /** Id of the ticket. The first browser that trades it has the session. */
  readonly i: string
  /** Session. */
  readonly s: number
  /** Page that it is for. */
  readonly p: number
  /** Sessions of others that the browser has left for this one, which the ticket may therefore replace. */
  readonly l?: readonly number[]
  /** Milliseconds since 1970 at which it ends. */
  readonly x: number
}

/** A browser takes a second to follow a redirect; a link that is passed on takes longer. */
export const TICKET_MS = 60_000

/** Returns the signing of tickets. */
export const tickets = (secrets: Pick<Secrets, 'marks'>): Signed<Ticket> => signedTexts<Ticket>(secrets, 'tickets')

/** Name of the ticket in the fragment of an address. */
const PARAMETER = 'cf_ticket'

/** Returns an address with a ticket in its fragment, behind a fragment that it has already. A query would reach the page's server and its caches. */
export const withTicket = (url: string, ticket: string): string =>
  `${url}${url.includes('#') ? '&' : '#'}${PARAMETER}=${ticket}`
