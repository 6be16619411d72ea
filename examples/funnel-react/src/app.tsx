import { type ReactNode, useEffect, useState } from 'react'
import { Checkout } from './checkout.tsx'
import { Offer } from './offer.tsx'
import { OptIn } from './opt-in.tsx'

/** The tokens of the pages, which the bundler puts in. */
declare const TOKENS: Record<'index' | 'checkout' | 'offer' | 'thanks', string>

const usePath = () => {
  const [path, setPath] = useState(location.pathname)
  useEffect(() => {
    const follow = () => setPath(location.pathname)
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  const go = (to: string) => {
    history.pushState(null, '', to)
    setPath(to)
  }
  return [path, go] as const
}

/** A step of the funnel. React puts title and token into the head, and changes them with the step. */
const Step = ({ token, title, children }: { token: string; title: string; children: ReactNode }) => (
  <>
    <title>{title}</title>
    <meta name="cf-page-token" content={token} />
    <h1>{title}</h1>
    {children}
  </>
)

export const App = () => {
  const [path, go] = usePath()
  switch (path) {
    case '/checkout':
      return (
        <Step key={path} token={TOKENS.checkout} title="Enamel mug">
          <Checkout />
          <button type="button" onClick={() => go('/')}>
            First the letter
          </button>
        </Step>
      )
    case '/offer':
      return (
        <Step key={path} token={TOKENS.offer} title="A second mug, for 12?">
          <Offer />
        </Step>
      )
    case '/thanks':
      return (
        <Step key={path} token={TOKENS.thanks} title="Thanks!">
          <p>Your order is on its way. A letter with the details follows.</p>
        </Step>
      )
    default:
      return (
        <Step key={path} token={TOKENS.index} title="One good cup a week">
          <OptIn />
          <button type="button" onClick={() => go('/checkout')}>
            Straight to the mug
          </button>
        </Step>
      )
  }
}
