import type { Adapter } from '../../domain/kernel/ports/calls.ts'
import type {
  ChargeAnswer,
  ChargeRequest,
  RefundAnswer,
  RefundRequest,
  SaveAnswer,
  SaveRequest,
} from '../../domain/payments/public.ts'

/** A adapter that can be asked in doubt. */
type Askable<Request, Answer> = Required<Adapter<Request, Answer>>

/** What an account with a gateway can do: everything that is said at the ports of payments. */
export interface Gateway {
  readonly charge: Askable<ChargeRequest, ChargeAnswer>
  readonly refund: Askable<RefundRequest, RefundAnswer>
  readonly save: Askable<SaveRequest, SaveAnswer>
}

/** What a gateway is reached with. */
export interface Access {
  readonly secretKey: string
  /** Where it answers, without a slash at the end. */
  readonly url: string
}

/** From connecting to the last byte of an answer. */
export const TIMEOUT_MS = 20_000

/** An authentication of the buyer is needed, who is not there. */
export const AUTHENTICATION_REQUIRED = 'authentication_required'

/** A charge that was declined. */
export const declined = (reason: string, external_id = ''): { came: 'answered'; answer: ChargeAnswer } => ({
  came: 'answered',
  answer: { result: 'declined', external_id, reason },
})

/** A charge that was made. */
export const approved = (external_id: string): { came: 'answered'; answer: ChargeAnswer } => ({
  came: 'answered',
  answer: { result: 'approved', external_id, reason: null },
})

export const refused = (reason: string) => ({ came: 'refused', reason }) as const
export const unknown = (reason: string) => ({ came: 'unknown', reason }) as const
export const failed = (reason: string) => ({ came: 'failed', reason }) as const

/** No connection came to be, so nothing was sent. */
const UNSENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** What an error of the network says of a request: whether it may have arrived. */
export const lost = (error: unknown): ReturnType<typeof failed> | ReturnType<typeof unknown> => {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code
  if (typeof code === 'string' && UNSENT.has(code)) return failed(`the gateway cannot be reached (${code})`)
  return unknown(`no answer of the gateway (${typeof code === 'string' ? code : 'the connection was lost'})`)
}
