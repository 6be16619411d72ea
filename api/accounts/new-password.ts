import { filled } from '../html/filled.ts'
import type { Html } from '../html/html.ts'
import { isTooLong, isTooShort, LEAST_CHARACTERS, MOST_BYTES } from './passwords.ts'
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
