import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { choice, data, integer, list, moment } from '../../kernel/model/fields.ts'
import type { FoldContext } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { By } from '../reader.ts'
import type { Member } from '../visibility.ts'

/** What members say about what they report. */
export const REPORT_TYPES = ['spam', 'abuse', 'other'] as const
type ReportType = (typeof REPORT_TYPES)[number]

/** Text to which its author has changed what was approved, while that stays up. Comments have no title. */
export type Edit = { readonly title?: string; readonly body: string | null }

/** What moderation has made of a post or a comment. */
export interface Moderated {
  readonly approved_at: string | null
  readonly declined_at: string | null
  readonly pending_edit: Edit | null
  readonly reported_at: string | null
  readonly report_type: ReportType | null
  readonly report_count: number
  readonly reported_by: readonly number[]
  readonly dismissed_of: readonly number[]
}

const ids = () => managed(list(integer(), { initial: [] }), { shown: 'never' })

/** Attributes of what is moderated. Rules alone set them. */
export const moderation = {
  approved_at: managed(moment({ nullable: true, about: 'null: nobody but its author and moderators sees it' })),
  declined_at: managed(moment({ nullable: true })),
  pending_edit: managed(
    data<Edit | null, { readonly nullable: true; readonly about: string }>(Type.Object({}), {
      nullable: true,
      about: 'Text to which its author has changed it, which waits for approval',
    }),
    { shown: 'never' },
  ),
  reported_at: managed(moment({ nullable: true })),
  report_type: managed(choice(REPORT_TYPES, { nullable: true, about: 'What the last report says' })),
  report_count: managed(integer({ initial: 0, about: 'Contacts whose reports are pending' })),
  reported_by: ids(),
  /** Contacts whose reports of this text were dismissed: theirs count no more. */
  dismissed_of: ids(),
}

/** What is only known once it has been moderated. */
export const NOT_YET = [
  'declined_at',
  'pending_edit',
  'reported_at',
  'report_type',
  'report_count',
  'reported_by',
  'dismissed_of',
] as const

/** The text that was there before was another one: who reported that may report this. */
const otherText = { dismissed_of: [] } as const

/** Fold of a change, which may change the text. */
export const changed = {
  changes: 'rest',
  evolve: (_: unknown, data: JsonObject) => ('title' in data || 'body' in data ? otherText : {}),
} as const

export const approved = {
  stamps: 'approved_at',
  constants: { declined_at: null, pending_edit: null },
  evolve: (before: Pick<Moderated, 'pending_edit'> | undefined) =>
    before?.pending_edit ? { ...before.pending_edit, ...otherText } : {},
} as const
export const declined = { stamps: 'declined_at', constants: { approved_at: null, pending_edit: null } } as const

type Report = { readonly contact_id: number; readonly report_type?: ReportType | null }

export const reported = {
  evolve: (before: Moderated | undefined, { contact_id, report_type = null }: Report, { at }: FoldContext) => {
    const reported_by = [...(before?.reported_by ?? []), contact_id]
    return { reported_by, report_count: reported_by.length, report_type, reported_at: before?.reported_at ?? at }
  },
}

export const reportsDismissed = {
  evolve: (before: Moderated | undefined, _: unknown, { at }: FoldContext) => ({
    dismissed_of: [...(before?.dismissed_of ?? []), ...(before?.reported_by ?? [])],
    reported_by: [],
    report_count: 0,
    report_type: null,
    reported_at: null,
    declined_at: null,
    approved_at: before?.approved_at ?? at,
  }),
}

/** Whether everybody who sees its space sees it. */
export const isShown = ({ approved_at, declined_at }: Pick<Moderated, 'approved_at' | 'declined_at'>): boolean =>
  approved_at !== null && declined_at === null

/** Whether it waits for approval, or an edit of it does. */
export const isPending = (one: Pick<Moderated, 'approved_at' | 'declined_at' | 'pending_edit'>): boolean =>
  one.pending_edit !== null || (one.approved_at === null && one.declined_at === null)

/** Whether moderators should look at it. */
export const isWaiting = (one: Parameters<typeof isPending>[0] & Pick<Moderated, 'report_count'>): boolean =>
  isPending(one) || one.report_count > 0

/** What is known of who acts. */
export interface ActingFacts {
  /** `undefined`: staff, or nobody who is a member. */
  readonly member: Member | undefined
  /** Why it may not act. */
  readonly problem: Refusal | undefined
}

interface On<Wanted = By> {
  readonly before: Moderated & { readonly rev: number }
  readonly wanted: Wanted
}

interface OnWritten<Wanted> extends On<Wanted> {
  readonly before: On['before'] & { readonly contact_id: number | null }
}

const moderatorProblem = ({ by_id }: By, facts: ActingFacts | undefined): Refusal | undefined => {
  if (by_id === undefined) return undefined
  return facts?.problem ?? (facts?.member?.moderator ? undefined : refuse.forbidden('Only moderators may do this'))
}

/** Whether it is the place of a deleted comment, in which there is nothing to judge. */
const isEmpty = (before: object): boolean => 'emptied_at' in before && before.emptied_at !== null

/** Makes an act of moderation: staff may ask for it, and members who moderate. */
export const asModerator =
  <C extends { readonly before: object; readonly wanted: By }, E>(act: (context: C) => readonly E[]) =>
  (context: C, facts: ActingFacts | undefined): readonly E[] | Refusal =>
    isEmpty(context.before) ? refuse.notFound() : (moderatorProblem(context.wanted, facts) ?? act(context))

/** Approval of a member, with the revision that it has seen. */
export type Approving = By & { readonly seen_rev?: number }

/** Report of a member. */
export type Reporting = { readonly by_id: number; readonly report_type?: ReportType | null }

/** Acts of moderation on records whose events these functions make. Repeated, they do nothing. */
export const moderating = <E>(make: {
  approved(): E
  declined(): E
  editDeclined(): E
  reported(data: Report): E
  dismissed(): E
}) => ({
  approve: (context: On<Approving>, facts: ActingFacts | undefined): readonly E[] | Refusal => {
    const { before, wanted } = context
    if (isEmpty(before)) return refuse.notFound()
    const problem = moderatorProblem(wanted, facts)
    if (problem) return problem
    if (isShown(before) && before.pending_edit === null) return []
    const isSeen = wanted.seen_rev === undefined || wanted.seen_rev === before.rev
    return isSeen ? [make.approved()] : refuse.conflict('It has changed since it was seen')
  },
  decline: asModerator(({ before }: On): readonly E[] => (before.declined_at === null ? [make.declined()] : [])),
  declineEdit: asModerator(({ before }: On): readonly E[] =>
    before.pending_edit === null ? [] : [make.editDeclined()],
  ),
  dismissReports: asModerator(({ before }: On): readonly E[] =>
    isShown(before) && before.report_count === 0 ? [] : [make.dismissed()],
  ),
  report: ({ before, wanted }: OnWritten<Reporting>, facts: ActingFacts | undefined): readonly E[] | Refusal => {
    if (isEmpty(before)) return refuse.notFound()
    if (facts?.problem) return facts.problem
    const { by_id: contact_id, report_type = null } = wanted
    if (before.contact_id === contact_id) return refuse.invalid('Author cannot report itself', 'by_id', 'exclusion')
    const known = [...before.reported_by, ...before.dismissed_of]
    return known.includes(contact_id) ? [] : [make.reported({ contact_id, report_type })]
  },
})

/** Refusal of what is added to a post that nobody sees. */
export const notShown = () => refuse.invalid('Post is not shown', 'base', 'hidden')
