import { type Refusal, refuse } from '../kernel/values/refusal.ts'
import { PERSONAL_DATA_CATEGORY } from '../kernel/values/scopes.ts'
import type { Caller } from './operation.ts'

/** Returns the refusal of a token that lacks a scope. */
export const missingScope = (scope: string): Refusal =>
  refuse.forbidden(`this token lacks the scope ${scope}`, 'scope', 'scope')

/** Returns the refusal of a caller who does not see personal data. */
export const hiddenPersonalData = ({ seesPersonalData }: Caller): Refusal | undefined =>
  seesPersonalData ? undefined : missingScope(`${PERSONAL_DATA_CATEGORY}:read`)
