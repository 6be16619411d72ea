import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, rules } from '../../kernel/decide/rules.ts'
import { MOST_MENTIONED } from './bound.ts'
import { notice, type Untold } from './model.ts'

const { event } = notice
type Happens = Events<typeof notice>

/** What was written, as far as somebody is told of it. */
export type Written = {
  readonly mentioned: readonly number[]
  /** To whom it replies. */
  readonly replied: readonly number[]
  /** Whether it has become visible, so that it is announced unless it was before. */
  readonly is_new: boolean
  /** Whether nobody is told. */
  readonly is_quiet: boolean
  /** Whether mentions are mailed at all. Default: they are. */
  readonly mails_mentions?: boolean
  /** Whether it is shown again: those are told whose mail was withheld, and others who were mentioned and got none have it in the next digest. Default: it is not. */
  readonly is_again?: boolean
}

type Telling = { readonly told: Written }

/** Contacts whose mail was withheld. */
type Withheld = {
  readonly contact_ids: readonly number[]
  /** Those of them who want no such mail. */
  readonly muted_ids: readonly number[]
}

interface Known {
  readonly mentioned_ids: readonly number[]
  readonly told_ids: readonly number[]
  readonly missed_ids: readonly number[]
  readonly untold: readonly Untold[]
  readonly is_announced: boolean
  readonly unannounced_ids: readonly number[]
}

/** Tells those who are mentioned for the first time, up to a number, and announces what is new to the others. Nobody is told twice. */
const tellings = (known: Known, written: Written): Happens => {
  const { mentioned, replied, is_new, is_quiet, mails_mentions = true, is_again = false } = written
  const all = [...new Set(mentioned)]
  const untold = new Set(is_again ? known.untold.map(({ contact_id }) => contact_id) : [])
  const waiting = all.filter((id) => untold.has(id))
  const first = all.filter((id) => !known.mentioned_ids.includes(id))
  const room = is_quiet || !mails_mentions ? 0 : Math.max(0, MOST_MENTIONED - known.told_ids.length)
  const again = waiting.filter((id) => known.missed_ids.includes(id)).slice(0, room)
  const told_ids = first.slice(0, room - again.length)
  const told = [...known.told_ids, ...again, ...told_ids]
  const to_ids = is_quiet ? [] : [...new Set(replied)].filter((id) => !told.includes(id))
  const shown_to = is_again && !is_quiet ? known.unannounced_ids : []
  return [
    ...(waiting.length > 0 ? [event.MembersMentionedAgain({ contact_ids: waiting, told_ids: again })] : []),
    ...(first.length > 0 ? [event.MembersMentioned({ contact_ids: first, told_ids })] : []),
    ...(is_new && !known.is_announced ? [event.WritingAnnounced({ to_ids, is_quiet })] : []),
    ...(shown_to.length > 0 ? [event.WritingAnnouncedAgain({ to_ids: shown_to })] : []),
  ]
}

const NOBODY: Known = {
  ...{ mentioned_ids: [], told_ids: [], missed_ids: [], untold: [] },
  ...{ is_announced: false, unannounced_ids: [] },
}

const begin = ({ before, wanted: { told } }: DecisionContext<typeof notice, Telling>) =>
  before || !told ? undefined : tellings(NOBODY, told)

const tell = ({ before, wanted: { told } }: ActContext<typeof notice, Telling>): Happens => tellings(before, told)

/** Notes whose mail did not go after all. A repeat has the event ids of the first time, so it changes nothing for who was told again meanwhile. */
const withhold = ({ before, wanted }: ActContext<typeof notice, Withheld>): Happens => {
  const isTold = (id: number) => before.told_ids.includes(id)
  const contact_ids = wanted.contact_ids.filter(isTold)
  const muted_ids = wanted.muted_ids.filter(isTold)
  return contact_ids.length > 0 ? [event.MentionsWithheld({ contact_ids, muted_ids })] : []
}

/** Notes who did not see it when the mail that announces it was handed over. */
const withholdAnnouncement = ({
  before,
  wanted,
}: ActContext<typeof notice, Pick<Withheld, 'contact_ids'>>): Happens => {
  const contact_ids = wanted.contact_ids.filter((id) => !before.unannounced_ids.includes(id))
  return contact_ids.length > 0 ? [event.AnnouncementWithheld({ contact_ids })] : []
}

/** Decider of whom what members write is told to. */
export const notices = decider(notice, {
  rules: rules(notice, { save: [begin], acts: { tell, withhold, withholdAnnouncement } }),
})
