import { filled } from '../html/filled.ts'
import { type Html, html } from '../html/html.ts'
import { connectedApplications } from './applications.ts'
import { isTooLong, isTooShort, LEAST_CHARACTERS, MOST_BYTES } from './passwords.ts'
import type { AccountsService } from './service.ts'
import { field } from './shell.ts'
import { WORDS } from './words.ts'

/** Returns what is wrong with a new password. */
export const problemOf = (password: string): string | undefined => {
  if (isTooLong(password)) return filled(WORDS.tooLong, { most: MOST_BYTES })
  return isTooShort(password) ? filled(WORDS.tooShort, { least: LEAST_CHARACTERS }) : undefined
}

/** Returns the field of a new password. */
export const newPasswordField = (problem: string | undefined): Html =>
  field({
    ...{ name: 'password', label: WORDS.newPassword, type: 'password', autocomplete: 'new-password', problem },
    hint: filled(WORDS.passwordRule, { least: LEAST_CHARACTERS }),
  })

const BOX = 'applications'

/** Returns the box by which the applications of a user are disconnected too; nothing where there are none. */
export const disconnectsBox = async (
  service: Pick<AccountsService, 'everywhere'>,
  userId: number,
): Promise<Html | undefined> => {
  const connected = await connectedApplications(service, userId)
  if (connected.length === 0) return undefined
  const names = [...new Set(connected.map(({ name }) => name))].join(', ')
  return html`<p><label class="choice"><input type="checkbox" name="${BOX}" value="disconnect"> ${filled(WORDS.disconnects, { names })}</label></p>`
}

/** Returns the connections that a user ends by that box. */
export const disconnectedBy = async (
  sent: URLSearchParams,
  service: Pick<AccountsService, 'everywhere'>,
  userId: number,
): Promise<readonly number[]> =>
  sent.get(BOX) === 'disconnect' ? (await connectedApplications(service, userId)).map(({ id }) => id) : []
