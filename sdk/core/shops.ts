import { CHECKOUT } from './chunks.ts'
import type { CoreHost } from './host.ts'
import type { CheckoutChunk, Listening, Page, Shop } from './parts.ts'
import { wait } from './transport.ts'

/** Loads a chunk of the SDK's host; one that cannot be had, again and again, ever more rarely. */
export type Load = <T>(name: string, pause?: number) => Promise<T>

export const loader = (host: CoreHost): Load => {
  const load: Load = async (name, pause = 1000) => {
    try {
      return (await host.load(`${host.sdk}/sdk/${name}`)) as never
    } catch {
      await wait(host, pause)
      return load(name, pause * 2)
    }
  }
  return load
}

/** What sells, of the page that is open. */
export const openShops = (host: CoreHost, load: Load) => {
  const listeners = new Set<Listening>()
  let shop: Promise<Shop> | undefined
  const changed = () => shop?.then((shop) => shop.changed())
  return {
    open: (page: Page): Promise<Shop> => {
      shop ??= load<CheckoutChunk>(CHECKOUT).then((chunk) => chunk.open(host, page, listeners))
      return shop
    },
    changed,
    listen: (...listening: Listening) => {
      listeners.add(listening)
      changed()
      return () => void listeners.delete(listening)
    },
    /** Leaves the shop to close itself with its page. */
    close() {
      shop = undefined
    },
  }
}

export type Shops = ReturnType<typeof openShops>
