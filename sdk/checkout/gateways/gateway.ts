import type { Core } from '../../checkout-port.ts'
import type { Address, CheckoutState } from '../../index.d.ts'
import type { Buyer } from '../contact.ts'
import type { BankResult, FollowDeps } from '../follow.ts'
import type { BankAction } from '../model.ts'
import type { Tokenized } from '../pay.ts'

/** What a payment is about, for the gateway's own checks and for the token. */
export interface PaymentDetails {
  readonly buyer: Buyer
  readonly address: Address | null
  readonly form: HTMLFormElement
}

/** The field of a gateway in the page. */
export interface GatewayField {
  /** Puts the field into the page. Resolves when it can be used, and rejects when it cannot. */
  mount(place: HTMLElement): Promise<void>
  /** Keeps the gateway's own amount in step with the total. */
  update(totals: CheckoutState['totals']): void
  tokenize(details: PaymentDetails): Promise<Tokenized>
  /** Lets the buyer answer their bank. */
  authenticate(action: BankAction, ask: Parameters<FollowDeps['authenticate']>[1]): Promise<BankResult>
  unmount(): void
}

export interface GatewayDeps {
  readonly core: Core
  readonly key: string
  /** Address of the gateway's script instead of its own, in tests. */
  readonly script: string | undefined
}

export type CreateField = (deps: GatewayDeps) => GatewayField
