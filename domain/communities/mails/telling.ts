import { settingsOf } from '../../emails/public.ts'
import { type Ask, ask } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { type Reader, readerOver } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { community } from '../community/model.ts'
import { readMentions } from '../mentions.ts'
import { notices, type Written } from '../notice/rules.ts'
import { comment, post } from '../post/model.ts'
import { isShown } from '../post/moderation.ts'

/** What was written, for the record of whom it is told to. */
interface Writing {
  readonly about: string
  readonly community_id: number
  readonly post_id: number
  readonly comment_id: number | null
  readonly contact_id: number | null
  readonly body: string | null
  readonly replied: readonly (number | null)[]
  readonly isSilent: boolean
}

/** Returns what a post tells; `undefined`: it is not shown. */
export const postWriting = (found: RecordOf<typeof post> | undefined): Writing | undefined => {
  if (!found || !isShown(found)) return undefined
  const { id, community_id, contact_id, body } = found
  const where = { about: `post-${id}`, community_id, post_id: id, comment_id: null }
  return { ...where, contact_id, body, replied: [], isSilent: false }
}

/** Returns what a comment tells, and to whom it replies; `undefined`: it is not shown. */
export const commentWriting = async (
  found: RecordOf<typeof comment> | undefined,
  read: Reader,
): Promise<Writing | undefined> => {
  if (!found || !isShown(found) || found.emptied_at !== null) return undefined
  const { id, community_id, contact_id, body, post_id, parent_comment_id, skip_notifications } = found
  const [on, parent] = await Promise.all([read.one(post, post_id), read.one(comment, parent_comment_id)])
  const replied = [parent?.contact_id ?? null, on?.contact_id ?? null]
  const where = { about: `comment-${id}`, community_id, post_id, comment_id: id }
  return { ...where, contact_id, body, replied, isSilent: skip_notifications ?? false }
}

/** What there is to tell. */
interface News extends Pick<Written, 'is_new' | 'is_again'> {
  readonly workspaceId: number
  /** Those alone of whom it mentions. Default: all. */
  readonly only?: readonly number[]
}

/** Returns the command that notes and tells what was written. Where mentions are not mailed, they count as told to nobody: a digest has them. */
export const telling = async (
  written: Writing | undefined,
  { workspaceId, only, ...news }: News,
  documents: FactReader,
): Promise<readonly Ask[]> => {
  const of = written && (await readerOver(documents).one(community, written.community_id))
  if (!written || !of) return []
  const { about, community_id, post_id, comment_id, contact_id, body, replied, isSilent } = written
  const { owed_off } = await settingsOf(workspaceId, documents)
  const others = (ids: readonly (number | null)[]) => ids.flatMap((id) => (id === null || id === contact_id ? [] : id))
  const told = {
    ...news,
    mentioned: others(only ?? (await readMentions(body))),
    replied: others(replied),
    is_quiet: isSilent || of.notifications === 'off',
    mails_mentions: !owed_off.includes('community_mention'),
  }
  return [ask(notices, 'new', 'create', { about, community_id, post_id, comment_id, told }, { ifTaken: 'tell' })]
}
