import type { Host } from '../checkout-port.ts'
import { attempt } from './attempt.ts'

/** What the core uses of the browser, in addition to what it lends the checkout. */
export interface CoreHost extends Host {
  /** Submits a form as if there were no SDK, also one with a control named `submit`. */
  submit(form: Element): void
  /** Changes the address in the address bar. */
  replaceUrl(url: string): void
  /** Calls back on changes of elements and of these attributes. */
  watch(attributes: string[], listener: (changes: readonly Change[]) => void): void
}

/** Whether the browser has made the page ready, and may never show it. */
export const isPrerendered = ({ document }: Pick<Host, 'document'>): boolean | undefined =>
  (document as { prerendering?: boolean }).prerendering

/** A change in the document. */
export type Change = Pick<MutationRecord, 'target' | 'attributeName'>

/** The browser, as seen by a script of this address. */
export const browserHost = (script: string): CoreHost => ({
  sdk: script.replace(/\/sdk\.js.*/, ''),
  window,
  document,
  location,
  storage: attempt(() => localStorage),
  tab: attempt(() => sessionStorage),
  fetch: (input, options) => fetch(input, options),
  console,
  now: () => performance.now(),
  random: () => [...crypto.getRandomValues(new Uint8Array(22))].map((byte) => (byte & 31).toString(32)).join(''),
  load: (url) => import(url),
  // Taken from the prototype: a control named `submit` hides that of its form.
  submit: (form) => HTMLFormElement.prototype.submit.call(form),
  replaceUrl: (url) => history.replaceState(history.state, '', url),
  watch: (attributeFilter, listener) =>
    new MutationObserver(listener).observe(document, { childList: true, subtree: true, attributeFilter }),
})
