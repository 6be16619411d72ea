import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  INVITATION_PATH,
  type InvitationLink,
  type InvitationLinks,
} from '../../domain/kernel/ports/invitation-links.ts'
import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
import { mailboxOf } from '../../domain/kernel/values/mailbox.ts'
import { bytesOf, readVarint, varint } from './tokens.ts'

/** Enough for what opens an account. */
const MAC_BYTES = 24
const LONGEST = 100

const contentOf = ({ teamId, invitationId, number }: InvitationLink): Buffer =>
  Buffer.concat([teamId, invitationId, number].map(varint))

/** Returns the link in the signed part of a token. */
const linkIn = (content: Buffer): InvitationLink | undefined => {
  const first = readVarint(content)
  const second = first && readVarint(first[1])
  const third = second && readVarint(second[1])
  return third && { teamId: first[0], invitationId: second[0], number: third[0] }
}

/** Creates the links of invitations. A new secret of the installation invalidates them. */
export const invitationLinks = (secrets: Pick<Secrets, 'derive'>): InvitationLinks => {
  const secret = secrets.derive('accounts', 'invitations')
  const macOf = (content: Buffer, address: string): Buffer =>
    createHmac('sha256', secret)
      .update(varint(content.length))
      .update(content)
      .update(mailboxOf(address))
      .digest()
      .subarray(0, MAC_BYTES)
  return {
    pathOf(link, address) {
      const content = contentOf(link)
      return INVITATION_PATH + Buffer.concat([macOf(content, address), content]).toString('base64url')
    },
    read(token) {
      if (token.length > LONGEST) return undefined
      const bytes = bytesOf(token)
      const content = bytes.subarray(MAC_BYTES)
      const link = linkIn(content)
      return (
        link && { ...link, fits: (address) => timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(content, address)) }
      )
    },
  }
}
