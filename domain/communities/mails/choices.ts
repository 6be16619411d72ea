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

/** Returns what the digest of a community has for a member: all that is new, only mentions where posts are mailed at once, or nothing. */
export const digestFor = (of: Community, own: MailChoices): 'everything' | 'mentions' | 'nothing' => {
  if (!of.send_digest_email || own.send_digest_email === false) return 'nothing'
  return notificationsOf(of, own) === 'all' ? 'mentions' : 'everything'
}
