import type { Action, CheckoutEvents, Core, Host, Init, Mount, MountedCheckout } from '../checkout-port.ts'
import type { CheckoutChunk, Listening, Page, Shop } from '../core/parts.ts'
import { allMarked, entriesOf, isAllowed, markedIn, nameOf } from '../forms/registry.ts'
import { noCheckout } from './no-checkout.ts'

/** Calls of page authors by what they listen to. */
const CALLS: Readonly<Record<keyof CheckoutEvents, Listening[0]>> = {
  state: 'onStateChange',
  pending: 'onPending',
  error: 'onError',
  outcome: 'onOtoOutcome',
}

type Warn = (text: string, about?: unknown) => void

/** What lies between the core and what is mounted: queues, listeners, and what has changed. */
const openDesk = (host: Host, page: Page, listeners: ReadonlySet<Listening>, warn: Warn) => {
  const { document } = host
  const actions = new Map<Element, Action>()
  const told = new WeakSet<Listening>()
  let outcome: CheckoutEvents['outcome'] | undefined
  let handle: ((action: Action) => void) | undefined
  let changed: (() => void) | undefined
  let last: readonly unknown[] = []

  const tell = (listening: Listening, values: unknown[]) => {
    told.add(listening)
    try {
      listening[1](...values)
    } catch (error) {
      warn(`A listener of ${listening[0]} threw`, error)
    }
  }
  const seen = () => allMarked(document).flatMap((element) => [element, element.hasAttribute('data-cf-visible')])

  const coreFor = (init: Init): Core => ({
    host,
    token: page.token,
    init,
    signal: page.signal,
    session: () => page.identity?.session(),
    call: page.call,
    elements: (name) => allMarked(document).filter((element) => nameOf(element) === name && isAllowed(element)),
    onChange: (listener) => {
      changed = listener
      last = seen()
    },
    formOf: (element) => element.closest('form'),
    entries: (form) => entriesOf(markedIn(form)),
    onAction: (handler) => {
      handle = handler
      for (const action of actions.values()) handler(action)
      actions.clear()
    },
    go: (url, isInstead) => host.location[isInstead ? 'replace' : 'assign'](url),
    warn,
    emit: (name, ...values) => {
      if (name === 'outcome') outcome = values as CheckoutEvents['outcome']
      for (const listening of listeners) if (listening[0] === CALLS[name]) tell(listening, values)
    },
  })
  return {
    coreFor,
    act: (action: Action): void => {
      if (handle) handle(action)
      else actions.set(action.element, action)
    },
    changed: (): void => {
      // Who listens late hears of the last outcome, too: a framework may be slower than the server.
      for (const listening of listeners) {
        if (outcome && listening[0] === 'onOtoOutcome' && !told.has(listening)) tell(listening, outcome)
      }
      const now = seen()
      if (now.length === last.length && now.every((one, index) => one === last[index])) return
      last = now
      changed?.()
    },
  }
}

/** Makes of what mounts a checkout the chunk that the core loads. */
export const chunkOf =
  (mount: Mount): CheckoutChunk['open'] =>
  (host, page, listeners) => {
    const { init, signal } = page
    const said = new Set<string>()
    const warn: Warn = (text, about = '') => {
      if (!said.has(text)) host.console.warn(text, about)
      said.add(text)
    }
    const desk = openDesk(host, page, listeners, warn)
    let mounted: MountedCheckout | undefined
    if (init?.ok && (init.checkout || init.offer) && !signal.aborted) {
      try {
        mounted = mount(desk.coreFor(init))
        signal.addEventListener('abort', () => mounted?.dispose())
      } catch (error) {
        warn('The checkout could not be mounted', error)
      }
    } else if (!signal.aborted) warn('There is no checkout configuration for this page')

    const call: Shop['call'] = async (name, values) => {
      try {
        const made = mounted?.[name] as ((...values: unknown[]) => ReturnType<Shop['call']>) | undefined
        return (await made?.(...values)) ?? noCheckout()
      } catch (error) {
        warn(`${name} failed`, error)
        return noCheckout()
      }
    }
    return { call, act: desk.act, changed: desk.changed }
  }
