import type { Adapter } from '../../domain/kernel/ports/calls.ts'
import type {
  BankAction,
  ChargeAnswer,
  ChargeRequest,
  ConfirmRequest,
  RefundAnswer,
  RefundRequest,
  SaveAnswer,
  SaveRequest,
} from '../../domain/payments/public.ts'

/** An adapter that can be queried when in doubt. */
type QueryableAdapter<Request, Answer> = Required<Adapter<Request, Answer>>

/** Adapters for an account with a gateway: one for each port of payments. */
export interface Gateway {
  readonly charge: QueryableAdapter<ChargeRequest, ChargeAnswer>
  readonly confirm: QueryableAdapter<ConfirmRequest, ChargeAnswer>
  readonly refund: QueryableAdapter<RefundRequest, RefundAnswer>
  readonly save: QueryableAdapter<SaveRequest, SaveAnswer>
}

/** Key and URL of a gateway. */
export interface Access {
  readonly secretKey: string
  /** Base URL, without a slash at the end. */
  readonly url: string
}

/** Timeout from connecting to the last byte of an answer. */
export const TIMEOUT_MS = 20_000

/** Reason of a decline: the buyer, who is not present, would have to authenticate. */
export const AUTHENTICATION_REQUIRED = 'authentication_required'

/** Returns the result of a charge that was declined. */
export const declined = (reason: string, external_id = ''): { came: 'answered'; answer: ChargeAnswer } => ({
  came: 'answered',
  answer: { result: 'declined', external_id, reason },
})

/** Returns the result of a charge that was made. */
export const approved = (external_id: string): { came: 'answered'; answer: ChargeAnswer } => ({
  came: 'answered',
  answer: { result: 'approved', external_id, reason: null },
})

/** Returns the result of a charge that is made once the buyer has answered the bank. */
export const bankAsks = (external_id: string, action: BankAction): { came: 'answered'; answer: ChargeAnswer } => ({
  came: 'answered',
  answer: { result: 'action', external_id, reason: null, action },
})

export const refused = (reason: string) => ({ came: 'refused', reason }) as const
export const unknown = (reason: string) => ({ came: 'unknown', reason }) as const
export const failed = (reason: string) => ({ came: 'failed', reason }) as const

/** Error codes of connections that were never made, so that nothing was sent. */
const UNSENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Returns the result of a request after a network error, by whether it may have arrived. */
export const lost = (error: unknown): ReturnType<typeof failed> | ReturnType<typeof unknown> => {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code
  if (typeof code === 'string' && UNSENT.has(code)) return failed(`the gateway cannot be reached (${code})`)
  return unknown(`no answer of the gateway (${typeof code === 'string' ? code : 'the connection was lost'})`)
}
