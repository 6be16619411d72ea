import { port } from '../kernel/ports/calls.ts'

/** Instead of an account: the simulator that every workspace has. */
export const SIMULATOR = 0

/** What every call to a gateway names: whose account with it is used. */
type OverAccount = {
  readonly workspace_id: number
  /** Or `SIMULATOR`. */
  readonly gateway_account_id: number
}

/** A sum, as it is said to a gateway. */
type Sum = {
  /** Decimal, in the scale of the currency by ISO 4217; above 0. */
  readonly amount: string
  /** ISO 4217, upper case. */
  readonly currency: string
}

/** A charge of a saved payment method, without the buyer being there. */
export type ChargeRequest = OverAccount &
  Sum & {
    /** As `SaveAnswer` has it. */
    readonly payment_method_id: string
    /** What the buyer's statement may say. */
    readonly about: string
  }

/** What a gateway said to a charge. A decline is an answer; one that asks for 3-D Secure has the reason `authentication_required`. */
export type ChargeAnswer = {
  readonly result: 'approved' | 'declined'
  /** What the gateway knows the charge by; empty where it kept nothing of a decline. */
  readonly external_id: string
  /** Why it was declined, in the gateway's own word, such as `card_declined`; `null` when it was approved. */
  readonly reason: string | null
}

/** The return of money that was charged: the whole of a charge, or a part. */
export type RefundRequest = OverAccount &
  Sum & {
    /** The charge, as `ChargeAnswer` has it. */
    readonly external_id: string
    readonly reason: string
  }

/** What a gateway knows a refund by. */
export type RefundAnswer = { readonly external_id: string }

/** The keeping of a payment method for charges to come. */
export type SaveRequest = OverAccount & {
  /** What the page has from the gateway; good once. */
  readonly token: string
  readonly contact_id: number
  readonly email_address: string | null
}

/** A payment method that is kept by a gateway. */
export type SaveAnswer = {
  /** Opaque: whatever the gateway needs to charge it again. */
  readonly payment_method_id: string
  /** What the buyer knows it by, such as `Visa •••• 4242`; `null` where the gateway does not say. */
  readonly label: string | null
}

/** Charges a saved payment method. */
export const charging = port<ChargeRequest, ChargeAnswer>('payments/charge')

/** Gives back what was charged. */
export const refunding = port<RefundRequest, RefundAnswer>('payments/refund')

/** Keeps a payment method of a contact. */
export const saving = port<SaveRequest, SaveAnswer>('payments/save-method')
