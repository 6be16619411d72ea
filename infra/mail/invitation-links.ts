import {
  INVITATION_PATH,
  type InvitationLink,
  type InvitationLinks,
} from '../../domain/kernel/ports/invitation-links.ts'
import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
import { addressedTokens } from './addressed-tokens.ts'
import { readVarint, varint } from './tokens.ts'

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
export const invitationLinks = (secrets: Pick<Secrets, 'marks'>): InvitationLinks => {
  const tokens = addressedTokens(secrets, ['accounts', 'invitations'], LONGEST)
  return {
    pathOf: (link, address) => INVITATION_PATH + tokens.make(contentOf(link), address),
    read(token) {
      const opened = tokens.open(token)
      const link = opened && linkIn(opened.content)
      return link && { ...link, fits: opened.fits }
    },
  }
}
