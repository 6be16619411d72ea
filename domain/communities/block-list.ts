import { comparable } from '../kernel/values/comparable.ts'
import { type Refusal, refuse } from '../kernel/values/refusal.ts'
import { plainText } from '../resources/plain-text.ts'

/** Profane words that hardly mean anything else. Longer words that contain them, such as names of places, are no matter. */
const BLOCKED: ReadonlySet<string> = new Set(
  (
    'arsehole asshole assholes bastard bastards bitch bitches bollocks bullshit cocksucker cunt cunts dickhead fag faggot faggots ' +
    'fuck fucked fucker fuckers fuckin fucking fucks motherfucker motherfuckers motherfucking nigger niggers shit shits shitty slut sluts ' +
    'twat twats wank wanker wankers whore whores'
  ).split(' '),
)

const hasBlocked = (text: string): boolean =>
  comparable(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .some((word) => BLOCKED.has(word))

/** Returns why members may not write this: a field has a word of the list. @param fields by name; HTML in `body` */
export const blockedProblem = (fields: Readonly<Record<string, string | null>>): Refusal | undefined => {
  for (const [name, text] of Object.entries(fields))
    if (text !== null && hasBlocked(name === 'body' ? plainText(text) : text))
      return refuse.invalid(`${name === 'body' ? 'Body' : 'Title'} has a word that is blocked here`, name, 'blocked')
  return undefined
}
