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

/** Charge of a saved payment method. */
export type ChargeRequest = OverAccount &
  Sum & {
    /** From `SaveAnswer`. */
    readonly payment_method_id: string
    /** Text for the buyer's statement. */
    readonly about: string
    /** Whether the buyer is at the page, so that the bank can ask for authentication (3-D Secure). */
    readonly present?: boolean
  }

/** What a page needs so that the bank can ask the buyer: what the gateway's script takes, or an address to go to. */
export type BankAction = { readonly client_secret: string } | { readonly url: string } | { readonly simulated: true }

/**
 * Answer of a gateway to a charge. A decline is an answer too. Where the buyer is not present, a charge that needs 3-D Secure is declined with the
 * reason `authentication_required`; otherwise its result is `action`: it is made once the buyer has answered the bank.
 */
export type ChargeAnswer = {
  readonly result: 'approved' | 'declined' | 'action'
  /** Id of the charge at the gateway; empty where the gateway stored nothing of a decline. */
  readonly external_id: string
  /** Decline reason in the gateway's own word, such as `card_declined`; `null` when it was approved. */
  readonly reason: string | null
  /** With the result `action`. */
  readonly action?: BankAction
  /** Payment method as the gateway has saved it with the charge, where it has another id than before. */
  readonly payment_method_id?: string
}

/** Question what became of a charge for which the bank has asked the buyer. */
export type ConfirmRequest = OverAccount & {
  /** The charge, from `ChargeAnswer`. */
  readonly external_id: string
  /** What the buyer answered; only the simulator, where no bank has heard it, goes by it. */
  readonly answer: string | null
}

/** Refund of a charge, whole or in part. */
export type RefundRequest = OverAccount &
  Sum & {
    /** The charge, from `ChargeAnswer`. */
    readonly external_id: string
    readonly reason: string
    /** The buyer may not have answered the bank. A charge that was not made is canceled, so that it never is. */
    readonly unconfirmed?: boolean
  }

/** Id of the refund at the gateway. */
export type RefundAnswer = { readonly external_id: string }

/** Saving of a payment method for later charges. */
export type SaveRequest = OverAccount & {
  /** Single-use token that the page received from the gateway. */
  readonly token: string
  readonly contact_id: number
  readonly email_address: string | null
  /** The method is charged at once, with the buyer present, which saves it. */
  readonly charged?: boolean
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

/** Finds out what became of a charge that the bank has asked the buyer about. It changes nothing. */
export const confirming = port<ConfirmRequest, ChargeAnswer>('payments/confirm')

/** Refunds a charge. */
export const refunding = port<RefundRequest, RefundAnswer>('payments/refund')

/** Saves a payment method of a contact. */
export const saving = port<SaveRequest, SaveAnswer>('payments/save-method')
