import { hash, randomInt } from 'node:crypto'
import type { Agent } from '../agent.ts'

const LASTS_MS = 10 * 60_000

/** Kind of the records of questions that were asked. */
const ASKED = 'agents/confirmation'

const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const LENGTH = 12

const recordOf = (code: string) => ({ kind: ASKED, key: hash('sha256', code, 'base64url') })

/** Makes a code by which a call can be confirmed once, within ten minutes. @param digest of the call */
export const askFor = async ({ service }: Agent, digest: string): Promise<string> => {
  const code = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  await service.shortTerm.put(recordOf(code), { data: { digest }, until: service.now() + LASTS_MS })
  return code
}

/** Whether a code confirms this very call. It is used up, whatever it was for. */
export const isConfirmed = async ({ service }: Agent, digest: string, code: string): Promise<boolean> => {
  const asked = await service.shortTerm.take(recordOf(code), service.now())
  return asked?.digest === digest
}
