import { createHmac } from 'node:crypto'

/** Keys to sign with, the current one first and the oldest one last. */
export type Keys = readonly SigningKey[]

export interface SigningKey {
  readonly bytes: Uint8Array
  /** The same key in the spelling of the contract, whose signatures use this text as their key. */
  readonly hex: string
}

/**
 * Returns headers that prove where a request comes from: those of Standard Webhooks with a signature under every key, and
 * those of the contract, which have room for one. While a secret is being rotated, that one is under the oldest key that is
 * still valid, so that receivers that verify it have until the end of the overlap to change over.
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
