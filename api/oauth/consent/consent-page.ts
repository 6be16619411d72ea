import { type Html, html } from '../../html/html.ts'
import type { Page } from '../../html/page.ts'
import { form } from '../../page-app/frame.ts'
import { REGISTERED, shownName } from '../registration/agent-client.ts'
import { destinationWords } from '../registration/redirect-uri.ts'
import { type Audience, scopeWords } from '../scopes.ts'
import type { OpenWorkspace } from './workspaces.ts'

/** Request that a person decides about. */
export interface Consent {
  readonly clientId: string
  readonly clientName: string | undefined
  readonly audience: Audience
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly workspaces: readonly OpenWorkspace[]
  /** Address to which the form is sent. */
  readonly action: string
  readonly formToken: string
  readonly email: string
  readonly notice: string | undefined
}

/** Says how far the name of an application can be trusted. */
const origin = ({ clientId }: Consent): string | undefined => {
  if (clientId.startsWith(REGISTERED))
    return 'This application registered itself. Its name is only its own claim: allow it only if you have just started it.'
  if (clientId.startsWith('https://')) return `What it says about itself comes from ${new URL(clientId).host}.`
  return undefined
}

const picker = (workspaces: readonly OpenWorkspace[]): Html => {
  const options = workspaces.map(
    ({ id, name, teamName }) => html`<option value="${id}">${name}${teamName !== name && ` (${teamName})`}</option>`,
  )
  return html`<label for="workspace">Workspace</label><select id="workspace" name="workspace_id">${options}</select>`
}

/** Returns the page on which a person allows or denies an application what it asks for. */
export const consentPage = (consent: Consent): Page => {
  const { clientName, audience, redirectUri, scopes, workspaces, action, formToken, email, notice } = consent
  const name = shownName(clientName) || 'An application without a name'
  const claim = origin(consent)
  const words = scopeWords(scopes, audience).map((line) => html`<li>${line}</li>`)
  const fields = html`${picker(workspaces)}
<p><button name="decision" value="allow">Allow</button> <button class="second" name="decision" value="deny">Deny</button></p>`
  return {
    title: `Connect ${name}?`,
    body: html`${notice !== undefined && html`<p class="notice">${notice}</p>`}
<p><strong>${name}</strong> asks for access to one of your workspaces.</p>
${claim !== undefined && html`<p class="notice">${claim}</p>`}
<h2>It will be able to</h2><ul>${words}</ul>
<p>You will be sent on to <strong>${destinationWords(redirectUri)}</strong>.</p>
${form({ formToken }, action, fields)}
<p class="quiet">You are signed in as ${email}.</p>`,
  }
}
