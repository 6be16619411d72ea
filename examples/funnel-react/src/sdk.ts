import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Catalog, CfSdk } from '../../../sdk/index.d.ts'

const script = document.querySelector('script[src$="/sdk.js"]')

const onLoad = (loaded: () => void) => {
  script?.addEventListener('load', loaded)
  return () => script?.removeEventListener('load', loaded)
}

/** The SDK as soon as its script has run: the app does not wait for it, and goes on without it. */
export const useSdk = (): CfSdk | undefined => useSyncExternalStore(onLoad, () => window.CfSdk)

/** What the step that is shown sells, when it is known. */
export const useCatalog = (): Catalog | undefined => {
  const sdk = useSdk()
  const [catalog, setCatalog] = useState<Catalog>()
  useEffect(() => void sdk?.products().then(setCatalog), [sdk])
  return catalog
}
