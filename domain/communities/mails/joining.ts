import type { NoticeReader, Telling } from '../../emails/public.ts'
import { communityPath } from '../paths.ts'
import { membersOf, surroundingsOf } from './members.ts'

/** Welcomes those who have become members, and are members still, where the community still says so and is live. */
export const tellJoining: NoticeReader = async ({ values }, recipients, { read, linkTo }) => {
  const around = await surroundingsOf(Number(values.community_id), read)
  const ids = recipients.map(({ id }) => id)
  const members = around && (await membersOf(ids, around, read))
  return new Map(
    recipients.map((to): [number, Telling] => {
      if (around?.community.status !== 'live' || !members?.has(to.id)) return [to.id, { withheld: 'no_access' }]
      if (!around.community.send_membership_email) return [to.id, { withheld: 'turned_off' }]
      const { id, name } = around.community
      return [to.id, { values: { community: { name }, url: linkTo(to, communityPath(id)) } }]
    }),
  )
}
