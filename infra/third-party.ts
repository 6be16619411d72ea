import { type Settings, wordsIn } from './settings.ts'

/** Kinds of what hosted pages may load from hosts of others. */
const KINDS = ['fonts', 'videos'] as const
export type ThirdParty = (typeof KINDS)[number]

/** Reads what the operator allows. @throws {ConfigError} */
export const thirdPartyIn = (settings: Settings): ReadonlySet<ThirdParty> =>
  wordsIn(settings, 'MILLRACE_THIRD_PARTY', KINDS)
