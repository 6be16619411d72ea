import type { Core } from '../../checkout-port.ts'
import type { Address, CheckoutError } from '../../index.d.ts'
import { make, say, setAttribute } from '../page/elements.ts'
import type { AddressForm, AddressKind } from './form.ts'

const LOADING = 'Loading the countries…'
const NOT_LOADED = 'The address form could not be loaded.'

/** A `shipping` or `billing` mount with its form, which is loaded when it is first shown. */
export interface Section {
  /** Puts the form into the mount that the page has now. */
  scan(): void
  isShown(): boolean
  /** Shows the form when it is needed, or when the page wants it always. A hidden form takes no part in validation. */
  show(isNeeded: boolean): void
  /** What the buyer filled in; undefined while it is incomplete or hidden. */
  value(): Address | undefined
  fill(address: Address): void
  /** Shows what is missing; says whether nothing is. A form that could not be loaded is tried again. */
  report(): boolean
  showErrors(errors: readonly CheckoutError[]): void
  dispose(): void
}

export interface SectionDeps {
  readonly core: Core
  readonly kind: AddressKind
  onInput(): void
  /** Called when the form is there, and with the reason when it is not. */
  onLoad(problem?: string): void
}

export const createSection = ({ core, kind, onInput, onLoad }: SectionDeps): Section => {
  const { document } = core.host
  const status = make(document, 'p', { role: 'status', class: 'cf-sdk-address-status' })
  const box = make(document, 'div', { class: 'cf-sdk-address-box' }, status)
  let place: HTMLElement | undefined
  let form: AddressForm | undefined
  let loading: 'not begun' | 'begun' | 'failed' = 'not begun'
  let filled: Address | undefined
  let isShown = false
  let isNeeded = false

  const load = async () => {
    loading = 'begun'
    setAttribute(box, 'aria-busy', 'true')
    say(status, LOADING)
    try {
      const { createAddressForm } = await import('./form.ts')
      form = createAddressForm(document, kind, onInput)
      if (filled) form.fill(filled)
      form.element.disabled = !isShown
      form.need(isNeeded)
      box.append(form.element)
      say(status, '')
      onLoad()
    } catch {
      say(status, NOT_LOADED)
      loading = 'failed'
      onLoad(NOT_LOADED)
    }
    setAttribute(box, 'aria-busy', undefined)
  }
  return {
    scan() {
      const [now] = core.elements(kind)
      if (now === place) return
      place = now
      box.remove()
      now?.append(box)
      if (now) now.hidden = !isShown
    },
    isShown: () => isShown && place !== undefined,
    show(isNeededNow) {
      isNeeded = isNeededNow
      isShown = isNeeded || place?.hasAttribute('data-cf-visible') === true
      if (place && place.hidden === isShown) place.hidden = !isShown
      if (form) form.element.disabled = !isShown
      form?.need(isNeeded)
      if (isShown && place && loading === 'not begun') void load()
    },
    value: () => (isShown && place ? form?.value() : undefined),
    fill(address) {
      filled = address
      form?.fill(address)
    },
    report() {
      if (!isShown || place === undefined) return true
      if (loading === 'failed') void load()
      return form?.report() ?? false
    },
    showErrors: (errors) => form?.show(errors),
    dispose() {
      box.remove()
      if (place) place.hidden = false
    },
  }
}
