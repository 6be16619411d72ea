import { createHmac } from 'node:crypto'

/** Secrets to sign with, the present one first. */
export type Keys = readonly SigningKey[]

export interface SigningKey {
  readonly bytes: Uint8Array
  /** The same in the contract's spelling, which is its key as text. */
  readonly hex: string
}

/**
 * Headers that prove where a request comes from: those of Standard Webhooks with a signature under every key, and the contract's, which
 * have room for one. While a secret is being rotated that one is under the key before, so that receivers who verify by it have
 * until the end of the overlap to change over.
 *
 * @param timestamp Unix seconds of this attempt
 */
export const signatureHeaders = (
  keys: Keys,
  id: string,
  timestamp: number,
  body: string,
): Readonly<Record<string, string>> => {
  const standard = keys.map(({ bytes }) => {
    const digest = createHmac('sha256', bytes).update(`${id}.${timestamp}.${body}`).digest('base64')
    return `v1,${digest}`
  })
  const contract = createHmac('sha256', keys.at(-1)!.hex).update(`${timestamp}.${body}`).digest('hex')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
    'X-Webhook-ClickFunnels-Timestamp': String(timestamp),
    'X-Webhook-ClickFunnels-Signature': contract,
  }
}
