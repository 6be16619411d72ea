import { Type } from 'typebox'
import { recordOf } from '../../kernel/model/fold.ts'
import type { Secrets } from '../../kernel/ports/secrets.ts'
import type { ShownOnce } from '../../resources/operation.ts'
import { endpoint, type SecretNonces, validFormerNonces } from './model.ts'

const PURPOSE = 'webhook-endpoint'

/** Returns the bytes that requests to an endpoint are signed with. */
export const secretOf = (secrets: Secrets, endpointId: number, nonce: string): Uint8Array =>
  secrets.derive(PURPOSE, `${endpointId}:${nonce}`)

/** Returns the nonces of the secrets to sign with at a time: the present one first, then the former ones that are valid, the oldest last. */
export const activeNonces = (secret: SecretNonces, at: string): readonly string[] => [
  secret.nonce,
  ...validFormerNonces(secret, at).map(({ nonce }) => nonce),
]

/** Returns the contract's spelling of a secret. This text is the key of the contract's signature. */
export const asHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Returns a secret in the spelling of Standard Webhooks. */
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
