/** Least sums that Stripe charges, by currency (docs.stripe.com/currencies). It converts those of other currencies, which are not checked here. */
const STRIPE: Readonly<Record<string, string>> = {
  USD: '0.50',
  AED: '2.00',
  AUD: '0.50',
  BRL: '0.50',
  CAD: '0.50',
  CHF: '0.50',
  CZK: '15.00',
  DKK: '2.50',
  EUR: '0.50',
  GBP: '0.30',
  HKD: '4.00',
  HUF: '175.00',
  INR: '0.50',
  JPY: '50',
  MXN: '10.00',
  MYR: '2.00',
  NOK: '3.00',
  NZD: '0.50',
  PLN: '2.00',
  RON: '2.00',
  SEK: '3.00',
  SGD: '0.50',
  THB: '10.00',
}

/** Returns the least sum that a payment processor charges in a currency; `undefined`: none is known. */
export const leastSum = (processor: string | null, currency: string): string | undefined =>
  processor === 'stripe' ? STRIPE[currency] : undefined
