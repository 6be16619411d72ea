import { hkdfSync } from 'node:crypto'
import type { SealingSecrets } from '../../domain/kernel/ports/secrets.ts'
import { type PublicIds, publicIds } from '../../domain/kernel/values/public-ids.ts'
import { marksOf } from '../vault/marks.ts'
import { open, seal } from '../vault/sealing.ts'

/** Derives 32 bytes for one purpose from the master secret. Purposes are storage formats and never change. */
export const deriveSecret = (master: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', master, 'millrace', purpose, 32))

/** Returns the encoding of public ids of this installation. */
export const publicIdsOf = (master: Uint8Array): PublicIds =>
  publicIds((kind) => deriveSecret(master, `public-ids:${kind}`))

/** Returns the secrets that are shared with outsiders, each derived from the master secret and a nonce of its own. */
export const secretsOf = (master: Uint8Array): SealingSecrets => {
  const derive: SealingSecrets['derive'] = (purpose, nonce) => deriveSecret(master, `shared:${purpose}:${nonce}`)
  return {
    derive,
    marks: (purpose, nonce, bytes) => marksOf(derive(purpose, nonce), bytes),
    seal: (purpose, nonce, data) => seal(derive(purpose, nonce), data),
    open: (purpose, nonce, sealed) => open(derive(purpose, nonce), sealed),
  }
}
