import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
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
export const addressedTokens = (
  secrets: Pick<Secrets, 'marks'>,
  purpose: readonly [string, string],
  longest: number,
) => {
  const marks = secrets.marks(...purpose, MAC_BYTES)
  const signed = (content: Buffer, address: string) => [varint(content.length), content, mailboxOf(address)]
  return {
    make: (content: Buffer, address: string): string =>
      Buffer.concat([marks.of(...signed(content, address)), content]).toString('base64url'),
    open(token: string): OpenedToken | undefined {
      if (token.length > longest) return undefined
      const bytes = bytesOf(token)
      if (bytes.length <= MAC_BYTES) return undefined
      const [mac, content] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)]
      return { content, fits: (address) => marks.fits(mac, ...signed(content, address)) }
    },
  }
}
