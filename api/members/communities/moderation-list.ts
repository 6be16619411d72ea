import { comment, post } from '../../../domain/communities/public.ts'
import type { Reader } from '../../../domain/kernel/decide/rules.ts'
import type { RecordOf } from '../../../domain/kernel/model/model.ts'

/** Posts and comments of one page. */
export const WAITING_PER_PAGE = 50

type Waiting =
  | { readonly kind: 'post'; readonly record: RecordOf<typeof post> }
  | { readonly kind: 'comment'; readonly record: RecordOf<typeof comment> }

/** Place in the list: the last that was shown, by its reports. */
export interface WaitingPlace {
  readonly reports: number
  readonly kind: Waiting['kind']
  readonly id: number
}

export interface WaitingPage {
  readonly waiting: readonly Waiting[]
  /** Place behind which the next page begins; `undefined`: there is no more. */
  readonly next: WaitingPlace | undefined
}

/** Returns a place as addresses of pages have it. */
export const spelledWaiting = ({ reports, kind, id }: WaitingPlace): string => `${reports}_${kind}_${id}`

/** Reads the place in the address of a page; `undefined`: the beginning. */
export const waitingPlaceIn = (sent: unknown): WaitingPlace | undefined => {
  const [, reports, kind, id] = /^(\d{1,9})_(post|comment)_(\d{1,15})$/.exec(typeof sent === 'string' ? sent : '') ?? []
  return kind === 'post' || kind === 'comment' ? { reports: Number(reports), kind, id: Number(id) } : undefined
}

/** Among those with as many reports, posts come before comments. So none of the posts is left behind a comment, and all comments are behind a post. */
const placeAmong = (kind: Waiting['kind'], behind: WaitingPlace) => {
  const id = behind.kind === kind ? behind.id : kind === 'post' ? 0 : Number.MAX_SAFE_INTEGER
  return { id, value: behind.reports }
}

const inOrder = (a: Waiting, b: Waiting): number =>
  b.record.report_count - a.record.report_count ||
  (a.kind === b.kind ? b.record.id - a.record.id : a.kind === 'post' ? -1 : 1)

/** Returns a page of what waits for moderators in a community: what was reported most comes first, and of as many the newest. */
export const waitingPage = async (
  communityId: number,
  behind: WaitingPlace | undefined,
  read: Reader,
): Promise<WaitingPage> => {
  const query = (kind: Waiting['kind']) => ({
    where: { waiting_in: communityId },
    sort: { by: 'report_count', descending: true },
    limit: WAITING_PER_PAGE + 1,
    ...(behind && { after: placeAmong(kind, behind) }),
  })
  const [posts, comments] = await Promise.all([read.find(post, query('post')), read.find(comment, query('comment'))])
  const all = [
    ...posts.map((record): Waiting => ({ kind: 'post', record })),
    ...comments.map((record): Waiting => ({ kind: 'comment', record })),
  ].sort(inOrder)
  const waiting = all.slice(0, WAITING_PER_PAGE)
  const last = waiting.at(-1)
  const isMore = all.length > WAITING_PER_PAGE && last !== undefined
  return {
    waiting,
    next: isMore ? { reports: last.record.report_count, kind: last.kind, id: last.record.id } : undefined,
  }
}
