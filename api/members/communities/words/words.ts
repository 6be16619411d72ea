import type { Language } from '../../words/words.ts'
import { EN } from './en.ts'
import { JA } from './ja.ts'
import { PT } from './pt.ts'

/** Text of a number of things. */
export interface Counted {
  readonly one: string
  /** With `{count}`. */
  readonly other: string
}

/** Texts of the pages of communities. What is in braces is filled in. */
export interface CommunityWords {
  readonly title: string
  readonly none: string
  readonly yours: string
  readonly others: string
  readonly join: string
  readonly joinFirst: string
  readonly leave: string
  readonly leaveText: string
  readonly byInvitation: string
  readonly upgrade: string
  readonly spaces: string
  readonly noSpaces: string
  readonly closed: string
  readonly enterSpace: string
  readonly leaveSpace: string
  readonly follows: string
  readonly posts: string
  readonly noPosts: string
  readonly pinned: string
  readonly morePinned: string
  readonly older: string
  readonly newest: string
  readonly back: string
  readonly by: string
  readonly changed: string
  readonly member: string
  readonly formerMember: string
  readonly moderator: string
  readonly comments: string
  readonly commentCount: Counted
  readonly likeCount: Counted
  readonly noComments: string
  readonly moreComments: string
  readonly firstComments: string
  readonly deletedComment: string
  readonly replyTo: string
  readonly waits: string
  readonly editWaits: string
  readonly editText: string
  readonly declined: string
  readonly notMailed: string
  readonly video: string
  readonly mail: {
    readonly title: string
    readonly notifications: string
    readonly all: string
    readonly essential: string
    readonly off: string
    readonly digest: string
    readonly daily: string
    readonly never: string
    readonly standard: string
    readonly save: string
  }
  readonly write: {
    readonly post: string
    readonly title: string
    readonly body: string
    readonly bodyHint: string
    readonly mention: string
    readonly mentionHint: string
    readonly find: string
    readonly findButton: string
    readonly foundNobody: string
    readonly send: string
    readonly needsApproval: string
    readonly notHere: string
    readonly comment: string
    readonly commentSend: string
    readonly reply: string
    readonly replyTitle: string
    readonly edit: string
    readonly editTitle: string
    readonly formatted: string
    readonly save: string
    readonly cancel: string
    readonly remove: string
    readonly removeTitle: string
    readonly removeText: string
  }
  readonly problem: Readonly<Record<'blank' | 'tooLong' | 'blocked' | 'mention' | 'gone' | 'other', string>>
  readonly like: string
  readonly unlike: string
  readonly report: string
  readonly reportTitle: string
  readonly reportKind: string
  readonly reportKinds: Readonly<Record<'spam' | 'abuse' | 'other', string>>
  readonly reported: string
  /** Says to an author that it cannot report itself. */
  readonly reportOwn: string
  readonly moderation: {
    readonly title: string
    readonly none: string
    readonly more: string
    readonly first: string
    readonly reports: Counted
    readonly approve: string
    readonly decline: string
    readonly declineEdit: string
    readonly dismiss: string
    readonly pin: string
    readonly unpin: string
    readonly changedMeanwhile: string
    readonly comment: string
  }
}

const WORDS: Readonly<Record<Language, CommunityWords>> = { en: EN, ja: JA, pt: PT }

/** Returns the texts of communities in the language of a reader. */
export const communityWords = ({ language }: { readonly language: Language }): CommunityWords => WORDS[language]
