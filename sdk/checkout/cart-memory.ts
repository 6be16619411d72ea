import type { Core } from '../checkout-port.ts'

/**
 * Remembers over a reload which cart of this page is being paid, so that the page can ask what has become of it. It lives in the
 * session storage of the tab; while the visitor has not consented to storage, only in the memory of the page.
 */
export interface CartMemory {
  /** The cart that was being paid, or was paid, when the page was left. */
  recall(): { readonly cartId: string; readonly isDone: boolean } | undefined
  paying(cartId: string): void
  paid(cartId: string): void
  forget(): void
}

/** Nothing of a preview is saved anywhere, so there is nothing to ask for later. */
const NO_MEMORY: CartMemory = {
  recall: () => undefined,
  paying: () => undefined,
  paid: () => undefined,
  forget: () => undefined,
}

const storageOf = ({ document, tab }: Core['host']): Core['host']['tab'] =>
  document.querySelector<HTMLMetaElement>('meta[name="cf-consent"]')?.content === 'denied' ? undefined : tab

export const createCartMemory = ({ host, token, init }: Pick<Core, 'host' | 'token' | 'init'>): CartMemory => {
  if (init.mode === 'preview') return NO_MEMORY
  const key = `cfsdk_cart_${token}`
  const attempt = <T>(use: (storage: Storage) => T): T | undefined => {
    try {
      const storage = storageOf(host)
      return storage ? use(storage) : undefined
    } catch {
      return undefined
    }
  }
  let last: string | undefined
  const write = (value: string) => {
    last = value
    attempt((storage) => storage.setItem(key, value))
  }
  return {
    recall() {
      const [state, cartId] = (last ?? attempt((storage) => storage.getItem(key)))?.split(':') ?? []
      return cartId ? { cartId, isDone: state === 'paid' } : undefined
    },
    paying: (cartId) => write(`paying:${cartId}`),
    paid: (cartId) => write(`paid:${cartId}`),
    forget() {
      last = undefined
      attempt((storage) => storage.removeItem(key))
    },
  }
}
