import type { CfSdk, Checkout } from '../index.d.ts'
import type { CoreHost } from './host.ts'
import type { Page } from './parts.ts'
import type { Shops } from './shops.ts'

/** The calls of page authors, which wait for a page of which the server has answered. */
export const callsOf = ({ console }: CoreHost, ready: () => Promise<Page>, shops: Shops): CfSdk => {
  const checkout: Record<string, unknown> = {}
  for (const name of ['setQuantity', 'updateState', 'setShipping', 'currentState'] as const) {
    checkout[name] = async (...values: unknown[]) => (await shops.open(await ready())).call(name, values)
  }
  for (const name of ['onStateChange', 'onPending', 'onError', 'onOtoOutcome'] as const) {
    checkout[name] = (listener: never) => shops.listen(name, listener)
  }
  return {
    products: async () => {
      const { init } = await ready()
      if (init?.ok && (init.checkout || init.offer) && init.catalog.products[0]) return init.catalog
      console.warn('products(): no checkout configuration for this page')
      return { products: [], bumpProducts: [] }
    },
    page: ready,
    checkout: checkout as unknown as Checkout,
  }
}
