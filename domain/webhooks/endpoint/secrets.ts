import { Type } from 'typebox'
import { recordOf } from '../../kernel/model/fold.ts'
import type { Secrets } from '../../kernel/ports/secrets.ts'
import type { ShownOnce } from '../../resources/operation.ts'
import { endpoint, type SecretNonces } from './model.ts'

const PURPOSE = 'webhook-endpoint'

/** The bytes that requests to an endpoint are signed with. */
export const secretOf = (secrets: Secrets, endpointId: number, nonce: string): Uint8Array =>
  secrets.derive(PURPOSE, `${endpointId}:${nonce}`)

/** Secrets to sign with at a moment: the present one first, and the one before while it is still good. */
export const activeNonces = ({ nonce, previous, previous_until }: SecretNonces, at: string): readonly string[] =>
  previous !== null && previous_until !== null && at < previous_until ? [nonce, previous] : [nonce]

/** The contract's spelling of a secret; as this text it is the key of the contract's signature. */
export const asHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The spelling of Standard Webhooks. */
export const asStandardSecret = (bytes: Uint8Array): string => `whsec_${btoa(String.fromCharCode(...bytes))}`

const open = recordOf(endpoint)

/** The secret in both spellings, for the one answer that shows it. */
export const revealedSecret: ShownOnce = {
  schema: {
    webhook_secret: Type.String({ description: 'Key of X-Webhook-ClickFunnels-Signature; shown only here' }),
    signing_secret: Type.String({ description: 'The same secret for Standard Webhooks libraries; shown only here' }),
  },
  of(document, secrets) {
    const { id, secret } = open(document)
    const bytes = secretOf(secrets, id, secret.nonce)
    return { webhook_secret: asHex(bytes), signing_secret: asStandardSecret(bytes) }
  },
}
