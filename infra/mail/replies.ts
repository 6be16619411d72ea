import { isOurFault, type RefusedFor, refusalOf } from '../../domain/emails/refusals/refusal-of.ts'
import type { HandOver } from '../../domain/kernel/ports/mail-transport.ts'

/** What the mail library says of a failure. */
export interface SmtpFailure {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  readonly response?: string
}

const ENHANCED = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/

/** Commands before the first that names a recipient. Their failures meet every mail. */
const OURS = /^(CONN|EHLO|HELO|LHLO|STARTTLS|AUTH)/

/** Code of a failure: the server offers no TLS. */
export const NO_TLS = 'ENOTLS'

/** Codes of the library for what failed before the server took anything. */
const OUR_CODES = ['EAUTH', 'EDNS', 'ENOAUTH', 'EOAUTH2', 'EREQUIRETLS', 'ECONFIG']

const codesOf = ({ response = '', responseCode }: SmtpFailure): string => {
  const enhanced = ENHANCED.exec(response)?.[1]
  return enhanced === undefined ? String(responseCode) : `${responseCode} ${enhanced}`
}

/** Returns why a permanent reply refuses a mail, which is about this mail or its recipient. */
const refusal = (about: RefusedFor, enhanced: string | undefined, responseCode: number): string => {
  if (about === 'policy') return 'policy'
  if (about === 'domain') return 'no_domain'
  if (about === 'size' || responseCode === 552) return 'size'
  if (enhanced?.startsWith('5.2.')) return 'mailbox'
  return enhanced?.startsWith('5.1.') || responseCode === 501 || responseCode === 553 ? 'address' : 'refused'
}

/** Whether a reply is about the log-in. 454 to a recipient is not: it says that nothing is passed on to their domain for now. */
const isAboutLogin = ({ command = '' }: SmtpFailure, responseCode: number): boolean =>
  [530, 534, 535, 538].includes(responseCode) || (responseCode === 454 && OURS.test(command))

const QUOTA = new Set(['4.7.28', '5.7.28'])

/** Returns what a failure with a reply of the server means. The table is in docs/mail.md. */
const byReply = (failure: SmtpFailure, responseCode: number): HandOver => {
  const reply = codesOf(failure)
  const enhanced = ENHANCED.exec(failure.response ?? '')?.[1]
  if (responseCode === 421) return { came: 'ours', reason: 'server_busy', reply }
  if (failure.command === 'STARTTLS') return { came: 'ours', reason: 'no_tls', reply }
  if (isAboutLogin(failure, responseCode)) return { came: 'ours', reason: 'login', reply }
  if (OURS.test(failure.command ?? '')) return { came: 'ours', reason: 'server', reply }
  if (enhanced !== undefined && QUOTA.has(enhanced)) return { came: 'ours', reason: 'quota', reply }
  if (failure.command === 'MAIL FROM' && responseCode >= 500) return { came: 'ours', reason: 'sender', reply }
  if (responseCode < 500) return { came: 'deferred', reason: 'later', reply }
  const about = refusalOf({ enhanced: enhanced ?? null, text: failure.response ?? null })
  if (isOurFault(about)) return { came: 'ours', reason: about, reply }
  if (about === 'later') return { came: 'deferred', reason: 'later', reply }
  if (about === 'mailbox') return { came: 'bounced', reason: 'no_mailbox', reply }
  return { came: 'refused', reason: refusal(about, enhanced, responseCode), reply }
}

/** Returns what a failed attempt means. @param isSent whether all of the message had been sent */
export const meaningOf = (failure: SmtpFailure, isSent: boolean): HandOver => {
  const { code = '', responseCode } = failure
  if (responseCode !== undefined && responseCode >= 400) return byReply(failure, responseCode)
  if (isSent) return { came: 'doubt', reason: code === 'ETIMEDOUT' ? 'no_reply' : 'connection_lost' }
  if (code === NO_TLS) return { came: 'ours', reason: 'no_tls' }
  if (code === 'ETLS') return { came: 'ours', reason: 'tls' }
  if (OUR_CODES.includes(code)) return { came: 'ours', reason: code === 'EAUTH' ? 'login' : 'server' }
  // The library found that the address cannot be sent to this server, as one with letters beyond ASCII.
  if (code === 'EENVELOPE') return { came: 'refused', reason: 'address' }
  if (code === 'EMESSAGE') return { came: 'refused', reason: 'size' }
  return { came: 'ours', reason: 'connection' }
}
