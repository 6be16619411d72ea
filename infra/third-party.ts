import { type Settings, wordsIn } from './settings.ts'

/** Kinds of what pages may load from hosts of others. `images` are those in posts, comments and lessons. */
const KINDS = ['fonts', 'images', 'videos'] as const
export type ThirdParty = (typeof KINDS)[number]

/** Reads what the operator allows. @throws {ConfigError} */
export const thirdPartyIn = (settings: Settings): ReadonlySet<ThirdParty> =>
  wordsIn(settings, 'MILLRACE_THIRD_PARTY', KINDS)
