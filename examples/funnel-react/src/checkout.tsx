import { useEffect, useState } from 'react'
import type { CheckoutState, Product } from '../../../sdk/index.d.ts'
import { Email } from './email.tsx'
import { useCatalog, useSdk } from './sdk.ts'

/** Keeps a product in the cart, in this quantity, and answers the state of the cart when it is priced. */
const useCart = (product: Product | undefined, quantity: number) => {
  const sdk = useSdk()
  useEffect(() => {
    const variant = product?.variants[0]
    if (variant) void sdk?.checkout.setQuantity(variant.id, variant.prices[0].id, quantity)
  }, [sdk, product, quantity])
}

const useCheckoutState = () => {
  const sdk = useSdk()
  const [state, setState] = useState<CheckoutState>()
  useEffect(() => sdk?.checkout.onStateChange(setState), [sdk])
  return state
}

const Total = ({ totals: { total, currency } }: CheckoutState) => {
  const money = new Intl.NumberFormat('en', { style: 'currency', currency: currency ?? 'USD' })
  return `Total: ${money.format(total / 100)}`
}

/** The buyer. */
const Buyer = () => {
  const [email, setEmail] = useState('')
  return (
    <>
      <label>
        First name
        <input data-cf-element="first-name" autoComplete="given-name" />
      </label>
      <label>
        Last name
        <input data-cf-element="last-name" autoComplete="family-name" />
      </label>
      <Email value={email} onType={setEmail} />
      {email && <p id="receipt">The receipt goes to {email}.</p>}
    </>
  )
}

export const Checkout = () => {
  const sdk = useSdk()
  const catalog = useCatalog()
  const state = useCheckoutState()
  const [withGuide, setWithGuide] = useState(false)
  useCart(catalog?.products[0], 1)
  useCart(catalog?.bumpProducts[0], withGuide ? 1 : 0)
  const apply = (code: string) => void sdk?.checkout.updateState({ coupon_codes: code ? [code] : [] })
  return (
    <>
      <label>
        <input type="checkbox" checked={withGuide} onChange={({ target }) => setWithGuide(target.checked)} /> Add the
        brewing guide
      </label>
      <label>
        Code <input onBlur={({ target }) => apply(target.value)} />
      </label>
      <p id="total" aria-live="polite">
        {state && <Total {...state} />}
      </p>
      <form>
        <Buyer />
        <div data-cf-element="shipping" />
        <div data-cf-element="payment-method" />
        <p id="error" role="alert">
          {state?.errors.map(({ message }) => message).join(' ')}
        </p>
        <button type="submit" data-cf-element="pay">
          Pay
        </button>
      </form>
    </>
  )
}
