import { createHash } from 'node:crypto'
import { encodeInTurns } from '../../domain/kernel/values/encode-in-turns.ts'
import { timeSlices } from '../../domain/kernel/values/turns.ts'

/** Bytes that are digested between two looks at the clock. */
const CHUNK = 1024 * 1024

/** Text as it is sent. */
export interface Spelled {
  readonly bytes: Buffer
  readonly digest: string
}

/** Puts a text together in several turns of the event loop. */
export const spelled = async (parts: Iterable<string>): Promise<Spelled> => {
  const bytes = Buffer.concat(await encodeInTurns(parts))
  const pause = timeSlices()
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += CHUNK) {
    hash.update(bytes.subarray(at, at + CHUNK))
    await pause()
  }
  return { bytes, digest: hash.digest('base64url') }
}
