import { html } from '../../html/html.ts'
import { SECURITY_WORDS } from './words.ts'

/** Page with everything by which a user signs in. */
export const SECURITY = '/account/security'

export const backToSecurity = html`<p><a href="${SECURITY}">${SECURITY_WORDS.back}</a></p>`

/** Shows a time. Nobody has said in which zone the reader is. */
export const shownTime = (at: string): string =>
  `${new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(at))} UTC`
