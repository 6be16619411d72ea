import type { Core } from '../../checkout-port.ts'
import type { Address, CheckoutState } from '../../index.d.ts'
import type { Buyer } from '../contact.ts'
import type { BankAnswer } from '../follow.ts'
import type { BankAction } from '../model.ts'
import type { Question } from '../page/dialog.ts'
import type { Tokenized } from '../pay.ts'
import type { Script } from './script.ts'

/** What a payment is about, for the gateway's own checks and for the token. */
export interface PaymentDetails {
  readonly buyer: Buyer
  readonly address: Address | null
  readonly form: HTMLFormElement
}

/** Makes a token of what the buyer entered. */
export type Tokenize = (details: PaymentDetails) => Promise<Tokenized>

/** What a field tells of itself once it is mounted. */
export interface FieldListener {
  /** It is in the page, and the buyer waits for it. */
  mounted(): void
  ready(): void
  /** It does not work. The reason is for the author of the page. */
  failed(reason: string | undefined): void
}

/** The field of a gateway in the page. */
export interface GatewayField {
  /** What the field needs, and the bank's question as well. Nothing else is called before it is there. */
  readonly script: Script<unknown>
  /** Puts the field into the page, or waits with it for the first total. A mount before it ends. */
  mount(place: HTMLElement, tell: FieldListener): void
  /** Keeps the gateway's own amount in step with the total, also before the script is there. */
  update(totals: CheckoutState['totals']): void
  /** Takes what the buyer entered. Called in the task of their gesture: a wallet opens at no other time. */
  submit(): Tokenize
  /** Lets the buyer answer their bank, in the gateway's own way or by a dialog. Rejects when they could not be asked. */
  authenticate(action: BankAction, askBuyer: (question: Question) => Promise<BankAnswer>): Promise<BankAnswer>
  unmount(): void
}

export interface GatewayDeps {
  readonly core: Core
  readonly key: string
  /** Address of the gateway's script instead of its own, in tests. */
  readonly script: string | undefined
}

export type CreateField = (deps: GatewayDeps) => GatewayField
