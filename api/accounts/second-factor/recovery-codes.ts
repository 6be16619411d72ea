import { randomInt } from 'node:crypto'
import type { Secrets } from '../../../domain/kernel/ports/secrets.ts'

const MOST = 10
const GROUPS = 3
const GROUP = 4
/** Letters and digits that nobody takes for each other. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'

const letters = (count: number): string =>
  Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Returns ten new recovery codes, as they are shown once. */
export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: MOST }, () => Array.from({ length: GROUPS }, () => letters(GROUP)).join('-'))

/**
 * Returns the digest by which credentials know a recovery code, however it was typed. It is keyed, since a code is short enough to be found by trying
 * all.
 */
export const recoveryDigest = (secrets: Pick<Secrets, 'marks'>, credentialsId: number, typed: string): string =>
  secrets.marks('recovery-codes', String(credentialsId)).textOf(typed.toLowerCase().replaceAll(/[\s-]/g, ''))
