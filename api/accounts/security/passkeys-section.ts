import type { Credentials, Passkey } from '../../../domain/account/public.ts'
import { filled } from '../../html/filled.ts'
import { type Html, html } from '../../html/html.ts'
import { form } from '../../page-app/frame.ts'
import { creationForm, type PasskeyPart, partyOf } from '../passkeys/forms.ts'
import { handleOf } from '../passkeys/handle.ts'
import type { ViewerRequest } from '../request.ts'
import { field } from '../shell.ts'
import { SECURITY, shownTime } from './paths.ts'
import { SECURITY_WORDS } from './words.ts'

const { passkeys: words } = SECURITY_WORDS

/** Where the forms about passkeys go. */
export const ADD = `${SECURITY}/passkeys`
export const RENAME = `${ADD}/rename`
export const REMOVE = `${ADD}/remove`

export const LONGEST_NAME = 60

const factsOf = ({ added_at, used_at, is_synced, host }: Passkey): string =>
  [
    filled(words.added, { at: shownTime(added_at) }),
    ...(host === undefined ? [] : [filled(words.of, { host })]),
    used_at === null ? words.unused : filled(words.used, { at: shownTime(used_at) }),
    ...(is_synced ? [words.synced] : []),
  ].join(', ')

const shown = (request: ViewerRequest, passkey: Passkey, here: string | undefined): Html => {
  const { id, name, went_back_at, host } = passkey
  const isElsewhere = host !== undefined && here !== undefined && host !== here
  const named = html`<input type="hidden" name="id" value="${id}">`
  const rename = html`${named}<input type="text" name="new_name" required maxlength="${LONGEST_NAME}" value="${name}" aria-label="${filled(words.nameOf, { name })}"> <button class="second">${words.rename}</button>`
  const remove = html`${named}<button class="second">${filled(words.remove, { name })}</button>`
  return html`<li class="item"><strong>${name}</strong> <span class="quiet">${factsOf(passkey)}</span>
${isElsewhere && html`<p class="notice">${filled(words.elsewhere, { host, here })}</p>`}${went_back_at !== null && html`<p class="notice">${filled(words.wentBack, { at: shownTime(went_back_at) })}</p>`}
${form(request, RENAME, rename)}${form(request, REMOVE, remove)}</li>`
}

/** Returns the part of the security page about passkeys. @param problem what was wrong with a new one */
export const passkeysSection = async (
  request: ViewerRequest,
  { passkeys }: Credentials,
  problem?: string,
): Promise<PasskeyPart> => {
  const { service, viewer } = request
  const party = partyOf(service)
  const here = typeof party === 'string' ? undefined : party.id
  const list =
    passkeys.length === 0
      ? html`<p>${words.none}</p>`
      : html`<ul class="plain">${passkeys.map((one) => shown(request, one, here))}</ul>`
  const top = html`<h2>${words.title}</h2><p>${words.text}</p>
${problem !== undefined && html`<p class="notice" role="alert">${problem}</p>`}${list}`
  if (typeof party === 'string') return { body: html`${top}<p class="notice">${party}</p>`, scripts: [] }
  const name = field({ name: 'name', label: words.newName, type: 'text', autocomplete: 'off' })
  const owner = { handle: handleOf(service, viewer.userId), address: viewer.email, passkeys }
  const fields = html`${name}<p><button>${words.add}</button></p>`
  const added = await creationForm(request, { action: ADD, owner, party, fields })
  return { ...added, body: html`${top}${added.body}` }
}
