import type { Credentials } from '../../../domain/account/public.ts'
import { type Html, html } from '../../html/html.ts'
import { type AccountPage, type Answer, forUsers, type Route, type ViewerRequest } from '../request.ts'
import { credentialsOf } from '../signed-in.ts'
import { WORDS } from '../words.ts'
import { codesSection } from './codes.ts'
import { passkeysSection } from './passkeys-section.ts'
import { SECURITY } from './paths.ts'
import { sessionsSection } from './sessions.ts'
import { SECURITY_WORDS } from './words.ts'

const passwordSection = ({ password }: Credentials): Html =>
  html`<h2>${WORDS.password}</h2><p><a href="/account/password">${password === null ? WORDS.account.setPassword : WORDS.account.changePassword}</a></p>`

/** Returns the page with everything by which a user signs in. @param problem what was wrong with a new passkey */
export const securityPage = async (request: ViewerRequest, problem?: string): Promise<AccountPage | undefined> => {
  const held = await credentialsOf(request.service, request.viewer.userId)
  if (!held) return undefined
  const passkeys = await passkeysSection(request, held, problem)
  return {
    ...(problem !== undefined && { status: 422 }),
    title: SECURITY_WORDS.title,
    within: SECURITY,
    scripts: passkeys.scripts,
    body: html`${passwordSection(held)}${codesSection(held)}${passkeys.body}${sessionsSection(request, held)}`,
  }
}

const show = (request: ViewerRequest): Promise<Answer> => securityPage(request)

/** Page with everything by which a user signs in. */
export const securityPageRoutes: readonly Route[] = [forUsers(new RegExp(`^${SECURITY}$`), { show })]
