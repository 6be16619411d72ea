import type { Ask } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { marketingReplyTo, marketingSender } from '../address/sender.ts'
import { beginMailing } from '../mailing/begin.ts'
import { footerOf } from '../settings/footer.ts'
import { wordsOf } from './begin.ts'
import type { NoticeKind } from './kinds.ts'

/** Notices that count as advertising: nothing that their recipient did has caused them. They obey unsubscriptions, and can be unsubscribed from. */
const ADVERTISING: readonly NoticeKind[] = ['community_post', 'community_digest']

/** Ids of the records that a notice is about, and the time in which something is new. */
export type NoticeAbout = {
  readonly course_id?: number
  readonly section_ids?: readonly number[]
  readonly community_id?: number
  readonly post_id?: number
  readonly comment_id?: number
  readonly since?: string
  readonly until?: string
  readonly day?: string
}

/** A notice to any number of contacts. */
export interface Notice {
  readonly kind: NoticeKind
  /** What it is for, by which it is begun once. */
  readonly cause: string
  readonly workspaceId: number
  readonly about: NoticeAbout
}

/** Returns the command that begins a notice to some contacts. @param piece tells it from those to the other pieces of an audience */
export type BeginNotice = (contactIds: readonly number[], piece?: number) => Ask

/** Returns what advertising needs besides its text; `undefined`: the workspace cannot send any. */
const advertisingOf = async (workspaceId: number, read: FactReader) => {
  const [footer, sender, replyTo] = await Promise.all([
    footerOf(workspaceId, read),
    marketingSender(workspaceId, null, read),
    marketingReplyTo(workspaceId, null, read),
  ])
  return footer && sender ? { footer, sender, ...(replyTo && { replyTo }) } : undefined
}

/**
 * Returns how a notice is begun, unless the workspace sends none of its kind. A notice names its recipients and what it is about by ids alone. Whether somebody
 * gets it, and what it says, is decided when it is handed over. Nothing of its reading is recorded.
 */
export const noticeOf = async (
  { kind, cause, workspaceId, about }: Notice,
  read: FactReader,
): Promise<BeginNotice | undefined> => {
  const words = await wordsOf(kind, workspaceId, read)
  if (!words) return undefined
  const isAdvertising = ADVERTISING.includes(kind)
  const advertising = isAdvertising ? await advertisingOf(workspaceId, read) : undefined
  if (isAdvertising && !advertising) return undefined
  const { footer = null, ...from } = advertising ?? {}
  return (contactIds, piece) =>
    beginMailing({
      class: isAdvertising ? 'marketing' : 'owed',
      kind,
      cause: [kind, cause, ...(piece === undefined ? [] : [piece])].join('-'),
      ...from,
      content: { ...words.text, footer, tracks_opens: false, tracks_clicks: false },
      values: { ...about, locale: words.locale },
      contactIds,
    })
}
