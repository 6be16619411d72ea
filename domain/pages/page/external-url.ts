import { type Refusal, refuse } from '../../kernel/values/refusal.ts'

const FIELD = 'external_url'
const MAX_LENGTH = 2048

/** Refusal in the words of the contract, plus the name of the field. */
const invalid = (remedy: string): Refusal => {
  const text = 'Validation failed: URL is not a valid URL (expected something like https://example.com/my-page)'
  return refuse.invalid(`${text}: external_url ${remedy}`, FIELD, 'invalid')
}

export const TAKEN =
  'Validation failed: URL is already in use by another external page in this workspace (external_url has already been taken)'

const SHAPE = /^(https?):\/\/([^/?#\\\s]+)([/\\][^?#\s]*)?(#\S*)?$/i

/**
 * Returns the address of an external page as it is stored and compared. Scheme, host and port are in their canonical form, and an empty
 * path becomes a slash. Path (case, encoding, extension, trailing slash) and fragment stay exactly as sent.
 */
export const externalUrl = (sent: string): string | Refusal => {
  const text = sent.trim()
  if (text.length > MAX_LENGTH) return invalid(`is too long (maximum is ${MAX_LENGTH} characters)`)
  if (/^https?:\/\//i.test(text) && text.split('#')[0]!.includes('?')) return invalid('must not have a query string')
  const [, , authority = '', path = '', fragment = ''] = SHAPE.exec(text) ?? []
  if (authority === '' || authority.includes('@') || !URL.canParse(text))
    return invalid('must be a complete http or https URL')
  const { protocol, host } = new URL(text)
  return `${protocol}//${host}${path === '' ? '/' : path}${fragment}`
}
