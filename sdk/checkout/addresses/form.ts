import type { Address, CheckoutError } from '../../index.d.ts'
import { make } from '../page/elements.ts'
import { type Choice, type Control, createControl } from './control.ts'
import { FIELDS, type FieldName } from './fields.ts'
import { needsPostalCode, postalLabel, regionLabel } from './postal.ts'
import { COUNTRIES, REGIONS } from './regions.ts'

export type AddressKind = 'shipping' | 'billing'

export interface AddressForm {
  readonly element: HTMLFieldSetElement
  /** The address, once all that its country needs is filled in. */
  value(): Address | undefined
  fill(address: Partial<Address>): void
  /** Says whether there must be an address. A form that is shown without need may be left empty. */
  need(isNeeded: boolean): void
  /** Shows the buyer what is missing; says whether nothing is. */
  report(): boolean
  /** Shows errors of the server at their fields. */
  show(errors: readonly CheckoutError[]): void
}

const languageOf = (document: Document): string[] => [document.documentElement.lang || 'en', 'en']

const countryChoices = (document: Document): readonly Choice[] => {
  let languages = languageOf(document)
  try {
    languages = Intl.getCanonicalLocales(languages)
  } catch {
    languages = ['en']
  }
  const names = new Intl.DisplayNames(languages, { type: 'region' })
  const { compare } = new Intl.Collator(languages)
  return COUNTRIES.split(' ')
    .map((code): Choice => [code, names.of(code) ?? code])
    .sort(([, a], [, b]) => compare(a, b))
}

const regionsCache = new Map<string, readonly Choice[]>()
const NONE: readonly Choice[] = []

const regionChoices = (country: string): readonly Choice[] => {
  const listed = REGIONS[country]
  if (listed === undefined) return NONE
  const known = regionsCache.get(country)
  if (known) return known
  const choices = listed
    .split('|')
    .map((one): Choice => [one.slice(0, one.indexOf(' ')), one.slice(one.indexOf(' ') + 1)])
  regionsCache.set(country, choices)
  return choices
}

type Controls = Readonly<Record<FieldName, Control>>

/**
 * Makes the fields fit the country. A country that is not chosen yet has all of them, since browsers fill in what they find.
 *
 * @param isNeeded false: nothing is required unless something is filled in
 */
const adapt = (controls: Controls, isNeeded: boolean) => {
  const { country, region, postal_code } = controls
  const code = country.value()
  const isWanted = isNeeded || Object.values(controls).some((control) => control.value() !== '')
  for (const { name, isRequired } of FIELDS) controls[name].require(isWanted && isRequired)
  const choices = regionChoices(code)
  region.choose(choices)
  region.require(isWanted && choices.length > 0)
  region.hide(code !== '' && choices.length === 0)
  region.relabel(regionLabel(code))
  postal_code.require(isWanted && needsPostalCode(code))
  postal_code.relabel(postalLabel(code))
}

const addressIn = (controls: Controls): Address => {
  const optional = (name: 'name' | 'street_two') => {
    const value = controls[name].value()
    return value === '' ? {} : { [name]: value }
  }
  return {
    ...optional('name'),
    street: controls.street.value(),
    ...optional('street_two'),
    city: controls.city.value(),
    region: controls.region.value(),
    postal_code: controls.postal_code.value(),
    country: controls.country.value(),
  }
}

/**
 * Builds the form of an address, whose fields follow its country. They have ids and no names, so that nothing of them ever gets into a
 * form that the browser sends by itself.
 */
export const createAddressForm = (document: Document, kind: AddressKind, onInput: () => void): AddressForm => {
  const all = FIELDS.map((plan) => createControl(document, kind, plan))
  const controls = Object.fromEntries(all.map((control) => [control.name, control])) as Controls
  const legend = make(document, 'legend', {}, kind === 'shipping' ? 'Shipping address' : 'Billing address')
  const classes = { class: `cf-sdk-address cf-sdk-address--${kind}` }
  const element = make(document, 'fieldset', classes, legend, ...all.map((control) => control.element))
  let isNeeded = true
  controls.country.choose(countryChoices(document))
  adapt(controls, isNeeded)
  const isComplete = () => all.every(({ element: field }) => field.querySelector(':invalid') === null)

  // A browser fills in all fields in one go. None is replaced before it has done so, or what it puts there would be lost.
  let isWaiting = false
  const noticed = ({ target }: Event) => {
    for (const control of all) if (target instanceof Node && control.element.contains(target)) control.show(undefined)
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      adapt(controls, isNeeded)
      onInput()
    })
  }
  element.addEventListener('input', noticed)
  element.addEventListener('change', noticed)
  return {
    element,
    value() {
      adapt(controls, isNeeded)
      return isComplete() && controls.country.value() !== '' ? addressIn(controls) : undefined
    },
    fill(address) {
      controls.country.set(address.country ?? '')
      adapt(controls, isNeeded)
      for (const control of all) if (control.name !== 'country') control.set(address[control.name] ?? '')
    },
    need(isNeededNow) {
      isNeeded = isNeededNow
      adapt(controls, isNeeded)
    },
    report() {
      adapt(controls, isNeeded)
      const bad = all.filter((control) => !control.isValid())
      bad[0]?.focus()
      return bad.length === 0
    },
    show(errors) {
      for (const control of all) {
        const field = `${kind}_address.${control.name}`
        const error = errors.find((one) => one.field === field)
        if (error) control.show(error.message)
      }
    },
  }
}
