import type { RecordOf } from '../../kernel/model/model.ts'
import type { community } from '../community/model.ts'
import { type MailChoices, NOTIFICATIONS } from '../membership/model.ts'

type Notifications = (typeof NOTIFICATIONS)[number]
type Community = Pick<RecordOf<typeof community>, 'notifications' | 'send_digest_email'>

/** Returns what a member is mailed about at once: the stricter of what the community says and what the member has chosen. */
export const notificationsOf = (
  of: Pick<Community, 'notifications'>,
  own: Pick<MailChoices, 'notifications'>,
): Notifications => {
  const degree = (one: Notifications) => NOTIFICATIONS.indexOf(one)
  const chosen = own.notifications ?? of.notifications
  return degree(chosen) > degree(of.notifications) ? chosen : of.notifications
}

/** Whether a member wants the digest of a community that has one. Who is mailed about everything at once has nothing left for it. */
export const wantsDigest = (of: Community, own: MailChoices): boolean =>
  of.send_digest_email && own.send_digest_email !== false && notificationsOf(of, own) !== 'all'
