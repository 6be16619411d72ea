import type { NoticeKind, NoticeReader } from '../../emails/public.ts'
import { tellDigest } from './digest.ts'
import { tellJoining } from './joining.ts'
import { tellWriting } from './writing.ts'

/** What members of communities are told by mail, by the kind of the notice. */
export const communityNotices: { readonly [kind in Exclude<NoticeKind, 'section_published'>]: NoticeReader } = {
  community_joined: tellJoining,
  community_mention: tellWriting,
  community_reply: tellWriting,
  community_post: tellWriting,
  community_digest: tellDigest,
}
