import { createHash, randomBytes } from 'node:crypto'
import type { Secrets } from '../../../domain/kernel/ports/secrets.ts'
import type { ShortTermStore } from '../../../domain/kernel/ports/short-term-store.ts'

const RANDOM_BYTES = 16
const TIME_BYTES = 6
const MAC_BYTES = 32
const LASTS_MS = 10 * 60_000

/** What challenges need. */
export interface ChallengeDeps {
  readonly secrets: Pick<Secrets, 'marks'>
  readonly shortTerm: Pick<ShortTermStore, 'putNew'>
  readonly now: () => number
}

const marksOf = ({ secrets }: Pick<ChallengeDeps, 'secrets'>, purpose: string) =>
  secrets.marks('passkey-challenges', purpose)

/**
 * Returns a challenge for one purpose. It is signed, so that a page may be shown without anything being stored.
 *
 * @param purpose what a passkey is asked for, and for whom
 */
export const newChallenge = (deps: Pick<ChallengeDeps, 'secrets' | 'now'>, purpose: string): string => {
  const until = Buffer.alloc(TIME_BYTES)
  until.writeUIntBE(deps.now() + LASTS_MS, 0, TIME_BYTES)
  const content = Buffer.concat([until, randomBytes(RANDOM_BYTES)])
  return Buffer.concat([content, marksOf(deps, purpose).of(content)]).toString('base64url')
}

/** Uses a challenge up. @returns whether it was made for this purpose, is not too old, and was not used before */
export const spendChallenge = async (deps: ChallengeDeps, purpose: string, challenge: string): Promise<boolean> => {
  const bytes = Buffer.from(challenge, 'base64url')
  const length = TIME_BYTES + RANDOM_BYTES
  if (bytes.length !== length + MAC_BYTES) return false
  const content = bytes.subarray(0, length)
  if (!marksOf(deps, purpose).fits(bytes.subarray(length), content)) return false
  const [until, now] = [content.readUIntBE(0, TIME_BYTES), deps.now()]
  if (until <= now) return false
  const key = createHash('sha256').update(bytes).digest('base64url')
  const former = await deps.shortTerm.putNew({ kind: 'passkey-challenge', key }, { data: {}, until }, now)
  return former === undefined
}
