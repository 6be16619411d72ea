import { createHmac, timingSafeEqual } from 'node:crypto'
import { mailboxOf } from '../../domain/kernel/values/mailbox.ts'
import { bytesOf, varint } from './tokens.ts'

/** Enough for what signs in. */
const MAC_BYTES = 24

/** What is in a token, and whether it was made for an address. */
export interface OpenedToken {
  readonly content: Buffer
  fits(address: string): boolean
}

/** Makes tokens that are good for one address of mail alone. @param longest characters of a token; longer texts are none */
export const addressedTokens = (secret: Uint8Array, longest: number) => {
  const macOf = (content: Buffer, address: string): Buffer =>
    createHmac('sha256', secret)
      .update(varint(content.length))
      .update(content)
      .update(mailboxOf(address))
      .digest()
      .subarray(0, MAC_BYTES)
  return {
    make: (content: Buffer, address: string): string =>
      Buffer.concat([macOf(content, address), content]).toString('base64url'),
    open(token: string): OpenedToken | undefined {
      if (token.length > longest) return undefined
      const bytes = bytesOf(token)
      if (bytes.length <= MAC_BYTES) return undefined
      const [mac, content] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)]
      return { content, fits: (address) => timingSafeEqual(mac, macOf(content, address)) }
    },
  }
}
