import { managed } from '../../kernel/model/field.ts'
import { integer, list, moment } from '../../kernel/model/fields.ts'
import type { FoldContext } from '../../kernel/model/model.ts'
import { refuse } from '../../kernel/values/refusal.ts'

/** What moderation has made of a post or a comment. */
export interface Moderated {
  readonly approved_at: string | null
  readonly declined_at: string | null
  readonly reported_at: string | null
  readonly report_count: number
  readonly reported_by: readonly number[]
  readonly dismissed_of: readonly number[]
}

const ids = () => managed(list(integer(), { initial: [] }), { shown: 'never' })

/** Attributes of what is moderated. Rules alone set them. */
export const moderation = {
  approved_at: managed(moment({ nullable: true, about: 'null: nobody but its author and moderators sees it' })),
  declined_at: managed(moment({ nullable: true })),
  reported_at: managed(moment({ nullable: true })),
  report_count: managed(integer({ initial: 0, about: 'Contacts whose reports are pending' })),
  reported_by: ids(),
  /** Contacts whose reports were dismissed: theirs count no more. */
  dismissed_of: ids(),
}

/** What is only known once it has been moderated. */
export const NOT_YET = ['declined_at', 'reported_at', 'report_count', 'reported_by', 'dismissed_of'] as const

export const approved = { stamps: 'approved_at', constants: { declined_at: null } } as const
export const declined = { stamps: 'declined_at', constants: { approved_at: null } } as const

export const reported = {
  evolve: (before: Moderated | undefined, { contact_id }: { readonly contact_id: number }, { at }: FoldContext) => {
    const reported_by = [...(before?.reported_by ?? []), contact_id]
    return { reported_by, report_count: reported_by.length, reported_at: before?.reported_at ?? at }
  },
}

export const reportsDismissed = {
  evolve: (before: Moderated | undefined, _: unknown, { at }: FoldContext) => ({
    dismissed_of: [...(before?.dismissed_of ?? []), ...(before?.reported_by ?? [])],
    reported_by: [],
    report_count: 0,
    reported_at: null,
    declined_at: null,
    approved_at: before?.approved_at ?? at,
  }),
}

/** Whether everybody who sees its space sees it. */
export const isShown = ({ approved_at, declined_at }: Pick<Moderated, 'approved_at' | 'declined_at'>): boolean =>
  approved_at !== null && declined_at === null

type On = { readonly before: Moderated }

/** Acts of moderation on records whose events these functions make. Repeated, they do nothing. */
export const moderating = <E>(make: {
  approved(): E
  declined(): E
  reported(data: { readonly contact_id: number }): E
  dismissed(): E
}) => ({
  approve: ({ before }: On): readonly E[] => (isShown(before) ? [] : [make.approved()]),
  decline: ({ before }: On): readonly E[] => (before.declined_at === null ? [make.declined()] : []),
  dismissReports: ({ before }: On): readonly E[] =>
    isShown(before) && before.report_count === 0 ? [] : [make.dismissed()],
  report: ({
    before,
    wanted: { contact_id },
  }: On & { readonly wanted: { readonly contact_id: number } }): readonly E[] =>
    [...before.reported_by, ...before.dismissed_of].includes(contact_id) ? [] : [make.reported({ contact_id })],
})

/** Refusal of what is added to a post that nobody sees. */
export const notShown = () => refuse.invalid('Post is not shown', 'base', 'hidden')
