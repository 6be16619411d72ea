import type { Core } from '../checkout-port.ts'
import type { Contact } from './model.ts'

const CUSTOM = 'custom-attribute:'

/** What the buyer typed into the checkout form about themselves. */
export interface Buyer {
  readonly contact: Contact
  readonly custom: readonly (readonly [key: string, value: string])[]
}

/** Reads the contact fields of a form; undefined without an e-mail address. */
export const buyerIn = (core: Pick<Core, 'entries'>, form: HTMLFormElement): Buyer | undefined => {
  const entries = core.entries(form)
  const values = new Map(entries)
  const email = values.get('email')?.trim()
  if (!email) return undefined
  const optional = (field: keyof Contact, name: string) => {
    const value = values.get(name)?.trim()
    return value ? { [field]: value } : {}
  }
  return {
    contact: {
      email,
      ...optional('first_name', 'first-name'),
      ...optional('last_name', 'last-name'),
      ...optional('name', 'name'),
      ...optional('phone', 'phone'),
    },
    custom: entries.flatMap(([name, value]) =>
      name.startsWith(CUSTOM) ? ([[name.slice(CUSTOM.length), value]] as const) : [],
    ),
  }
}
