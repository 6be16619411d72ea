import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
import { marksOf } from '../../infra/vault/marks.ts'

/** Returns secrets of an installation in a test. */
export const secretsFrom = (derive: Secrets['derive']): Secrets => ({
  derive,
  marks: (purpose, nonce, bytes) => marksOf(derive(purpose, nonce), bytes),
})
