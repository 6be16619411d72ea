import { html } from '../../html/html.ts'
import type { AccountPage } from '../request.ts'
import { SECURITY } from './paths.ts'
import { SECURITY_WORDS } from './words.ts'

const { codes: words } = SECURITY_WORDS

/** Returns the page that alone shows recovery codes: the installation keeps their digests. */
export const shownRecoveryCodes = (
  codes: readonly string[],
  session: Pick<AccountPage, 'viewer' | 'cookies'> = {},
): AccountPage => ({
  ...{ title: words.shownTitle, within: SECURITY },
  ...session,
  body: html`<p class="notice">${words.shown}</p><ol>${codes.map((one) => html`<li><code>${one}</code></li>`)}</ol>
<p><a href="${SECURITY}">${words.kept}</a></p>`,
})
