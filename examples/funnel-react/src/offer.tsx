import { useEffect, useState } from 'react'
import type { OtoOutcome } from '../../../sdk/index.d.ts'
import { useCatalog, useSdk } from './sdk.ts'

export const Offer = () => {
  const sdk = useSdk()
  const variant = useCatalog()?.products[0]?.variants[0]
  const [outcome, setOutcome] = useState<OtoOutcome>()
  useEffect(() => sdk?.checkout.onOtoOutcome(setOutcome), [sdk])
  return (
    <>
      <p>One click: we charge the card that you have just used.</p>
      <p role="alert">{outcome?.message}</p>
      {/* It has its place from the start: one that came later would push the other from under the pointer, and be pressed instead. */}
      <button
        type="button"
        data-cf-element="oto-accept"
        disabled={!variant}
        value={variant && `${variant.id}|${variant.prices[0].id}`}
      >
        Yes, add it
      </button>
      <button type="button" data-cf-element="oto-decline">
        No, thanks
      </button>
    </>
  )
}
