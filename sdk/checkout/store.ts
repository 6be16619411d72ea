import type { Core } from '../checkout-port.ts'
import type { CheckoutError, CheckoutState } from '../index.d.ts'
import { NOTHING_PRICED, type Priced, type Shown } from './model.ts'

/**
 * Where an error comes from that the server's pricing does not know: `cart` of a change that was not made, `payment` of an attempt to
 * pay, `gateway` and `addresses` of a part of the page that could not be loaded.
 */
export type Source = 'cart' | 'payment' | 'gateway' | 'addresses'

/** The state of the checkout: what the server priced last, and the errors that the browser adds. */
export interface Store {
  /** A copy, which the page may change. */
  state(): CheckoutState
  priced(): Priced
  /** What the buyer sees; undefined before anything was priced. */
  shown(): Shown | undefined
  /** Replaces what was priced, and publishes the state. */
  commit(priced: Priced): void
  /** Replaces the errors of a source, and publishes the state if that changes anything. */
  report(source: Source, errors: readonly CheckoutError[]): void
  /** Publishes the state as it is: the buyer tried to go on in spite of its errors. */
  publish(): void
  /** Calls back after every publication. */
  observe(observer: (state: CheckoutState) => void): void
}

/** An empty cart is the normal beginning, and reported to `onError` only when somebody tries to pay for it. */
const isNoteworthy = ({ code }: CheckoutError): boolean => code !== 'no_products'

/** @param core whose page token may change: then nothing of this checkout is told any more */
export const createStore = (core: Pick<Core, 'emit' | 'signal' | 'warn'>): Store => {
  let priced = NOTHING_PRICED
  const reported = new Map<Source, readonly CheckoutError[]>()
  const observers: ((state: CheckoutState) => void)[] = []

  const state = (): CheckoutState => {
    const copy = structuredClone(priced.state)
    return { ...copy, errors: [...copy.errors, ...structuredClone([...reported.values()].flat())] }
  }
  const publishAs = (isError: (errors: readonly CheckoutError[]) => boolean) => {
    if (core.signal.aborted) return
    const now = state()
    core.emit('state', now)
    if (isError(now.errors)) core.emit('error', now.errors, now)
    for (const observer of observers) {
      try {
        observer(now)
      } catch {
        // What the script of a gateway throws does not stop the cart.
        core.warn('The checkout could not show its state')
      }
    }
  }
  return {
    state,
    priced: () => priced,
    shown: () =>
      priced === NOTHING_PRICED ? undefined : { version: priced.version, total: priced.state.totals.total },
    commit(next) {
      priced = next
      publishAs((errors) => errors.some(isNoteworthy))
    },
    report(source, errors) {
      if (errors.length === 0 && (reported.get(source) ?? []).length === 0) return
      reported.set(source, errors)
      publishAs((all) => errors.length > 0 || all.some(isNoteworthy))
    },
    publish: () => publishAs((errors) => errors.length > 0),
    observe: (observer) => void observers.push(observer),
  }
}
