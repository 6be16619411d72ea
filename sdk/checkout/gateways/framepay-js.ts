/** The part of FramePay (https://www.rebilly.com/docs/dev-docs/framepay) that is used here. */
export interface FramePayFieldChange {
  readonly completed?: boolean
  readonly valid?: boolean
  readonly error?: { readonly message?: string } | null
}

export interface FramePayElement {
  on(event: 'change', listener: (change: FramePayFieldChange) => void): void
  destroy(): void
}

export interface FramePayError {
  readonly code?: string
  readonly message?: string
  readonly details?: readonly unknown[]
}

export interface FramePay {
  initialize(options: object): void
  on(event: 'ready', listener: () => void): void
  on(event: 'error', listener: (error: FramePayError) => void): void
  readonly card: { mount(place: HTMLElement, type: 'cardNumber' | 'cardExpiry' | 'cardCvv'): FramePayElement }
  createToken(form: HTMLFormElement, extra: object): Promise<{ readonly id: string }>
}
