import { type PageForm, readPageForm } from '../../domain/forms/public.ts'
import { cleanAddress, isAddress } from '../../domain/kernel/values/mailbox.ts'
import type { Typed } from '../../domain/visits/public.ts'
import { parseJson } from '../http/json.ts'
import { SdkRefusal } from './refusal.ts'

/** Elements of forms whose values are taken. Everything else is dropped. */
const ELEMENTS: ReadonlySet<string> = new Set(['email', 'first-name', 'last-name', 'name', 'phone'])
const CUSTOM = 'custom-attribute:'
/** Highest number of values in a form. */
const MOST_VALUES = 500

const isPair = (value: unknown): value is readonly [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'string')

const isTaken = ([element]: readonly [string, string]): boolean => ELEMENTS.has(element) || element.startsWith(CUSTOM)

const parsed = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Reads the values of a form: pairs of the name of an element and its value. @throws {SdkRefusal} bad request, for anything else */
export const formIn = (data: string): PageForm => {
  const sent = parsed(data)
  if (!Array.isArray(sent)) throw new SdkRefusal('bad_request', 'data must be a JSON list of pairs')
  return readPageForm(sent.slice(0, MOST_VALUES).filter(isPair).filter(isTaken))
}

const LONGEST_TYPED = 1000

/** Returns what a visitor has typed about themself; `email` only if it is an address. */
export const typedIn = ({ fields }: PageForm): Typed => {
  const textOf = (element: string): string | undefined => {
    const value = fields.get(element)?.trim() ?? ''
    return value === '' || value.length > LONGEST_TYPED ? undefined : value
  }
  const email = cleanAddress(fields.get('email') ?? '')
  const [first_name, last_name] = [textOf('first-name'), textOf('last-name')]
  const [name, phone] = [textOf('name'), textOf('phone')]
  return {
    ...(isAddress(email) && { email }),
    ...(first_name !== undefined && { first_name }),
    ...(last_name !== undefined && { last_name }),
    ...(name !== undefined && { name }),
    ...(phone !== undefined && { phone }),
  }
}

/** Whether a form has an e-mail address that is none. */
export const hasWrongAddress = ({ fields }: PageForm): boolean => {
  const sent = cleanAddress(fields.get('email') ?? '')
  return sent !== '' && !isAddress(sent)
}
