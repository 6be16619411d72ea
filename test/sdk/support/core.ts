import type { CheckoutEvents, Core } from '../../../sdk/checkout-port.ts'

/** A core without a browser: for what needs no document. */
export const fakeCore = () => {
  const emitted: { readonly name: keyof CheckoutEvents; readonly values: readonly unknown[] }[] = []
  const core: Pick<Core, 'emit' | 'signal' | 'warn'> = {
    emit: (name, ...values) => void emitted.push({ name, values }),
    signal: new AbortController().signal,
    warn: () => undefined,
  }
  const firstOf = <Name extends keyof CheckoutEvents>(name: Name) =>
    emitted.filter((one) => one.name === name).map(({ values }) => values[0] as CheckoutEvents[Name][0])
  return {
    core,
    emitted,
    states: () => firstOf('state'),
    pending: () => firstOf('pending'),
    errors: () => firstOf('error'),
    outcomes: () => firstOf('outcome'),
  }
}

/** Lets everything happen that waits for nothing. */
export const settled = () => new Promise<void>((resolve) => setTimeout(resolve))
