import type { Catalog, Checkout, CheckoutError, CheckoutState, OtoOutcome } from './index.d.ts'

/**
 * What the core lends the checkout, and what the checkout gives back. The checkout is a chunk of its own (`sdk/checkout/main.ts`, with the
 * offers), which the core loads when the page has a checkout or an offer and either one of their elements or a call of `CfSdk.checkout`.
 * It exports `mount`, of the type `Mount`.
 */
export type Mount = (core: Core) => MountedCheckout

/** The calls of `window.CfSdk.checkout` that the core passes on; it keeps the listeners of `on…` itself, see `Core.emit`. */
export interface MountedCheckout
  extends Pick<Checkout, 'setQuantity' | 'updateState' | 'setShipping' | 'currentState'> {
  /** Takes out everything that was put into the page, and lets go of elements, timers and listeners: the page token has changed. */
  dispose(): void
}

/** The part of the browser that the SDK uses. Nothing else of it is touched, so that tests can put a fake in its place. */
export interface Host {
  /** Address of the SDK's host, without a slash at its end. */
  readonly sdk: string
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener' | 'setTimeout' | 'clearTimeout'>
  readonly document: Document
  readonly location: Location
  /** `localStorage`; nothing where the browser refuses it. Reading it never throws, its methods may. */
  readonly storage: Storage | null | undefined
  /** `sessionStorage`, likewise. */
  readonly tab: Storage | null | undefined
  readonly fetch: typeof fetch
  readonly console: Pick<Console, 'log' | 'warn'>
  /** Milliseconds since the load of the page began. */
  now(): number
  /** A random text: 22 characters of base64url. */
  random(): string
  /** Loads an ES module of the SDK's host. */
  load(url: string): Promise<unknown>
}

/** Values of `data-cf-element`, without those of custom attributes. */
export type ElementName =
  | 'email'
  | 'first-name'
  | 'last-name'
  | 'name'
  | 'phone'
  | 'payment-method'
  | 'pay'
  | 'shipping'
  | 'billing'
  | 'billing-same-as-shipping'
  | 'oto-accept'
  | 'oto-decline'

/** A refusal of the server, or `unreachable` when there was no answer, or `abandoned` when the page token has changed meanwhile. */
export interface Failure {
  readonly ok: false
  readonly error: { readonly code: string; readonly message: string }
}

export type Answer<T> = (T & { readonly ok: true; readonly error?: undefined }) | (Failure & Partial<Omit<T, 'ok'>>)

/** The answer of `GET /init`. */
export interface Init {
  readonly ok: true
  readonly mode: 'live' | 'test' | 'preview'
  readonly in_funnel: boolean
  readonly registered_url: string
  /** Hash of the workspace, under which what belongs to a visitor is kept in the browser. */
  readonly space: string
  readonly checkout: null | {
    readonly gateway: 'simulator' | 'stripe' | 'payments_ai'
    /** Public key of the gateway. */
    readonly key: string | null
    readonly live: boolean
  }
  /** Whether the page may be that of a one-click offer; it is one if it has an `oto-accept` or `oto-decline` element. */
  readonly offer: boolean
  readonly catalog: Catalog
}

/** Something the visitor has asked for. It has been taken from the browser: nothing else happens by it. */
export interface Action {
  readonly name: 'pay' | 'oto-accept' | 'oto-decline'
  /** The button; for `pay` without one that was pressed (Enter in a field), the first `pay` of the form, or the form if it has none. */
  readonly element: HTMLElement
  /** The checkout form, for `pay`. */
  readonly form: HTMLFormElement | null
}

/** What can be listened to by `CfSdk.checkout.on…`, with the arguments of each. */
export interface CheckoutEvents {
  /** onStateChange */
  state: [state: CheckoutState]
  /** onPending */
  pending: [pending: boolean]
  /** onError */
  error: [errors: CheckoutError[], state: CheckoutState]
  /** onOtoOutcome; the last one is also told to who listens later */
  outcome: [outcome: OtoOutcome]
}

export interface Core {
  readonly host: Host
  /** Page token for which this checkout was mounted. */
  readonly token: string
  readonly init: Init
  /** Aborted when the page token changes, just before `dispose`. */
  readonly signal: AbortSignal

  /** The session secret, once there is one. `call` sends it by itself. */
  session(): string | undefined

  /**
   * Posts to the SDK's host, with `token`, `url` and `session` added to the body, once it is known whether there is a session (a ticket has
   * been traded and the first visit answered or refused). Never rejects and never throws. `path` begins with a slash. A `session` in an
   * answer is kept.
   */
  call<T>(path: string, body: object): Promise<Answer<T>>

  /** The elements of this name in the document now, in its order; only such on tags that the registry allows. */
  elements(name: ElementName): readonly HTMLElement[]

  /** Calls back after marked elements came, went or were changed; many changes at once call back once. Not for what is within a mount. */
  onChange(listener: () => void): void

  /** The form around an element. */
  formOf(element: Element): HTMLFormElement | null

  /**
   * What a submission of this form holds now: pairs of the value of `data-cf-element` (`email`, `custom-attribute:color`) and what was
   * entered. Disabled controls and unchecked boxes are left out, empty fields are not.
   */
  entries(form: HTMLFormElement): readonly (readonly [name: string, value: string])[]

  /**
   * Takes what visitors ask for from now on, and at once what they have asked for before this call (each once). There is one handler.
   * A submit of a form with a `pay` or a `payment-method` in it is a `pay`, by whichever button. The core does not guard it against
   * repetition: a `pay` while one is under way is to be ignored by the handler. (The core sets `autocomplete="off"` on the buttons of a form,
   * so that Firefox does not restore `disabled` over a reload.)
   */
  onAction(handler: (action: Action) => void): void

  /** Leads the visitor to an address that the server gave. @param isInstead whether Back is not to end here: the visitor has come back */
  go(url: string, isInstead?: boolean): void

  /** Tells the author of the page in the console; the same text once a page load. */
  warn(text: string): void

  /** Calls the listeners of `CfSdk.checkout.on…`; what they throw is logged. */
  emit<Name extends keyof CheckoutEvents>(name: Name, ...values: CheckoutEvents[Name]): void
}
