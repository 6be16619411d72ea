import { port } from '../kernel/ports/calls.ts'

/** Takes the place of an account id: the simulator that every workspace has. */
export const SIMULATOR = 0

/** Account that a call to a gateway uses. */
type OverAccount = {
  readonly workspace_id: number
  /** Id of the account, or `SIMULATOR`. */
  readonly gateway_account_id: number
}

/** Amount of money in a request to a gateway. */
type Sum = {
  /** Decimal in the scale of the currency by ISO 4217; above 0. */
  readonly amount: string
  /** ISO 4217, upper case. */
  readonly currency: string
}

/** Charge of a saved payment method without the buyer being present. */
export type ChargeRequest = OverAccount &
  Sum & {
    /** From `SaveAnswer`. */
    readonly payment_method_id: string
    /** Text for the buyer's statement. */
    readonly about: string
  }

/**
 * Answer of a gateway to a charge. A decline is an answer too. A charge that needs 3-D Secure is declined with the
 * reason `authentication_required`.
 */
export type ChargeAnswer = {
  readonly result: 'approved' | 'declined'
  /** Id of the charge at the gateway; empty where the gateway stored nothing of a decline. */
  readonly external_id: string
  /** Decline reason in the gateway's own word, such as `card_declined`; `null` when it was approved. */
  readonly reason: string | null
}

/** Refund of a charge, whole or in part. */
export type RefundRequest = OverAccount &
  Sum & {
    /** The charge, from `ChargeAnswer`. */
    readonly external_id: string
    readonly reason: string
  }

/** Id of the refund at the gateway. */
export type RefundAnswer = { readonly external_id: string }

/** Saving of a payment method for later charges. */
export type SaveRequest = OverAccount & {
  /** Single-use token that the page received from the gateway. */
  readonly token: string
  readonly contact_id: number
  readonly email_address: string | null
}

/** Payment method that a gateway saved. */
export type SaveAnswer = {
  /** Opaque id that the gateway needs for later charges. */
  readonly payment_method_id: string
  /** Label for the buyer, such as `Visa •••• 4242`; `null` where the gateway gives none. */
  readonly label: string | null
}

/** Charges a saved payment method. */
export const charging = port<ChargeRequest, ChargeAnswer>('payments/charge')

/** Refunds a charge. */
export const refunding = port<RefundRequest, RefundAnswer>('payments/refund')

/** Saves a payment method of a contact. */
export const saving = port<SaveRequest, SaveAnswer>('payments/save-method')
