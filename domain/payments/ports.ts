import { port } from '../kernel/ports/calls.ts'

/** The account that test orders are charged at, of no gateway: no money moves. */
export const SIMULATOR = 0

/** A charge of a payment method that the gateway keeps. Amounts are decimal strings in the currency's scale. */
export interface ChargeRequest {
  readonly workspace_id: number
  readonly gateway_account_id: number
  readonly payment_method_id: string
  readonly amount: string
  readonly currency: string
  /** What the statement of the buyer may say. */
  readonly about: string
}

/** What a gateway makes of a charge that it took up: one that it declines is an answer too. */
export interface ChargeAnswer {
  readonly result: 'approved' | 'declined'
  readonly external_id: string
  /** Why it was declined, in the gateway's words. */
  readonly reason: string | null
}

export const charging = port<ChargeRequest, ChargeAnswer>('payments/charge')

/** The whole of a charge is given back. */
export interface RefundRequest {
  readonly workspace_id: number
  readonly gateway_account_id: number
  /** The charge, as the gateway knows it. */
  readonly external_id: string
  readonly amount: string
  readonly currency: string
  readonly reason: string
}

export interface RefundAnswer {
  readonly external_id: string
}

export const refunding = port<RefundRequest, RefundAnswer>('payments/refund')

/** A payment method that a page has from the gateway, to be kept there for later charges. */
export interface SaveRequest {
  readonly workspace_id: number
  readonly gateway_account_id: number
  readonly token: string
  readonly contact_id: number
  readonly email_address: string | null
}

export interface SaveAnswer {
  /** Whatever the gateway is to be asked with later. */
  readonly payment_method_id: string
  readonly label: string | null
}

export const saving = port<SaveRequest, SaveAnswer>('payments/save-method')
