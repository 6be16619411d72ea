import { type BeginNotice, type NoticeAbout, type NoticeKind, noticeOf } from '../../emails/public.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { notice } from '../notice/model.ts'

/** Event that a notice follows from. */
interface Cause {
  readonly id: string
  readonly metadata: { readonly workspace_id?: number }
}

/** Returns how a notice is begun that follows from an event, unless the workspace sends none of its kind. */
export const noticeFor = (
  kind: NoticeKind,
  { id, metadata: { workspace_id: workspaceId = 0 } }: Cause,
  about: NoticeAbout,
  read: FactReader,
): Promise<BeginNotice | undefined> => noticeOf({ kind, cause: id, workspaceId, about }, read)

/** Returns what a notice about a post or a comment names. */
export const aboutOf = ({ community_id, post_id, comment_id }: RecordOf<typeof notice>): NoticeAbout => ({
  community_id,
  post_id,
  ...(comment_id !== null && { comment_id }),
})

/** Returns the kind of notice that announces a comment or a post. */
export const announcing = ({ comment_id }: Pick<RecordOf<typeof notice>, 'comment_id'>): NoticeKind =>
  comment_id === null ? 'community_post' : 'community_reply'
