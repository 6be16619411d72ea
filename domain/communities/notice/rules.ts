import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, rules } from '../../kernel/decide/rules.ts'
import { MOST_MENTIONED } from './bound.ts'
import { notice } from './model.ts'

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
}

type Telling = { readonly told: Written }

interface Known {
  readonly mentioned_ids: readonly number[]
  readonly told_ids: readonly number[]
  readonly is_announced: boolean
}

/** Tells those who are mentioned for the first time, up to a number, and announces what is new to the others. Nobody is told twice. */
const tellings = (known: Known, written: Written): Happens => {
  const { mentioned, replied, is_new, is_quiet, mails_mentions = true } = written
  const contact_ids = [...new Set(mentioned)].filter((id) => !known.mentioned_ids.includes(id))
  const room = is_quiet || !mails_mentions ? 0 : Math.max(0, MOST_MENTIONED - known.told_ids.length)
  const told_ids = contact_ids.slice(0, room)
  const all = [...known.told_ids, ...told_ids]
  const to_ids = is_quiet ? [] : [...new Set(replied)].filter((id) => !all.includes(id))
  return [
    ...(contact_ids.length > 0 ? [event.MembersMentioned({ contact_ids, told_ids })] : []),
    ...(is_new && !known.is_announced ? [event.WritingAnnounced({ to_ids, is_quiet })] : []),
  ]
}

const NOBODY: Known = { mentioned_ids: [], told_ids: [], is_announced: false }

const begin = ({ before, wanted: { told } }: DecisionContext<typeof notice, Telling>) =>
  before || !told ? undefined : tellings(NOBODY, told)

const tell = ({ before, wanted: { told } }: ActContext<typeof notice, Telling>): Happens => tellings(before, told)

/** Decider of whom what members write is told to. */
export const notices = decider(notice, { rules: rules(notice, { save: [begin], acts: { tell } }) })
