/** The part of Stripe.js (https://docs.stripe.com/js) that is used here. */
export interface StripeError {
  readonly type?: string
  readonly code?: string
  readonly decline_code?: string
  readonly message?: string
}

export interface StripePaymentElement {
  mount(place: HTMLElement): void
  on(event: 'ready' | 'change', listener: () => void): void
  on(event: 'loaderror', listener: (event: { readonly error: StripeError }) => void): void
  destroy(): void
}

export interface StripeElements {
  create(type: 'payment', options: object): StripePaymentElement
  update(options: { readonly mode: 'payment' | 'setup'; readonly amount?: number; readonly currency: string }): void
  submit(): Promise<{ readonly error?: StripeError }>
}

export interface StripeJs {
  elements(options: object): StripeElements
  createPaymentMethod(options: {
    readonly elements: StripeElements
    readonly params: object
  }): Promise<{ readonly paymentMethod?: { readonly id: string }; readonly error?: StripeError }>
  handleNextAction(options: { readonly clientSecret: string }): Promise<{ readonly error?: StripeError }>
}

export type StripeFactory = (key: string) => StripeJs
