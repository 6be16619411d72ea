import type { Action, Answer, Host, Init, MountedCheckout } from '../checkout-port.ts'
import type { Checkout, CheckoutState } from '../index.d.ts'
import type { CoreHost } from './host.ts'
import type { Identity } from './identity.ts'

/** A page for as long as one page token stands in it. */
export interface Page {
  readonly token: string
  readonly url: string
  readonly signal: AbortSignal
  /** The server's answer; undefined until it is there. */
  init?: Answer<Init>
  identity?: Identity
  /** Whether the visitor was on an earlier page, and so may have typed something. */
  isKnown?: Promise<boolean>
  /** Counts a view of it, which began at this time. */
  view(since: number): Promise<unknown>
  /** Posts to the SDK's host, once it is known whether there is a session. */
  call<T>(path: string, body: object): Promise<Answer<T>>
}

/** A listener, and the call of `CfSdk.checkout` that gave it. */
export type Listening = readonly [name: Exclude<keyof Checkout, ShopCall>, listener: (...values: unknown[]) => void]

export type ShopCall = Exclude<keyof MountedCheckout, 'dispose'>

/** What sells on one page, until the page ends. */
export interface Shop {
  /** Answers a call of `CfSdk.checkout`. */
  call(name: ShopCall, values: unknown[]): Promise<CheckoutState>
  /** Passes on what the visitor has asked for. */
  act(action: Action): void
  /** Tells that the document may have changed, or that there is one more listener. */
  changed(): void
}

/** The chunks, by what the core calls of them. */
export interface CheckoutChunk {
  open(host: Host, page: Page, listeners: ReadonlySet<Listening>): Shop
}

/** What is done with the marked elements of a document. */
export interface Forms {
  /** Brings the document and a page together, for whenever one has changed. */
  bind(page: Page): void
  /** Does what the visitor asked for on a page: a form was submitted, by a button or not, or an oto-element was pressed. */
  act(page: Page, element: HTMLElement, submitter?: HTMLElement | null): void
  /** Lets the visitor submit again: the page is back from the browser's memory. */
  release(): void
}

export interface FormsChunk {
  /** `openShop` loads what sells on a page. */
  open(host: CoreHost, openShop: (page: Page) => Promise<Shop>): Forms
}

export interface BadgeChunk {
  /** Shows the author what the SDK makes of a page, until the page ends. */
  mount(host: Host, page: Page): void
}
