import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, rules } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { account, type MemberSession, type SignInLink, withinHour } from './model.ts'

const { event } = account

type Account = RecordOf<typeof account>
type Happens = Events<typeof account>
type Of<Input = unknown> = ActContext<typeof account, Input>
type Asked = { readonly to: string | null }

const HOUR_MS = 60 * 60_000

/** Links that a contact gets within an hour, however often they are asked for. */
const MOST_LINKS = 3
const LINK_MS = HOUR_MS
const SESSION_MS = 30 * 24 * HOUR_MS

const after = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString()

const link = (number: number, at: string, to: string | null) =>
  event.SignInLinkAsked({ number, expires_at: after(at, LINK_MS), to })

/** Opens an account with the first link. */
const open = ({ before, at, wanted }: DecisionContext<typeof account, Asked>): Happens =>
  before ? [] : [link(1, at, wanted.to ?? null)]

/** Asks for a further link, as long as there have not been too many: whoever asks learns nothing of either. */
const askLink = ({ before, at, wanted: { to } }: Of<Asked>): Happens =>
  withinHour(before.asked, at).length >= MOST_LINKS ? [] : [link(before.link_count + 1, at, to)]

/** Returns a link that can still be used at a time. */
export const usableLink = ({ links }: Pick<Account, 'links'>, number: number, at: string): SignInLink | undefined =>
  links.find((one) => one.number === number && one.expires_at > at)

/** Returns the session of a digest that has not ended at a time. */
export const openSession = (
  { sessions }: Pick<Account, 'sessions'>,
  digest: string,
  at: string,
): MemberSession | undefined => sessions.find((one) => one.digest === digest && one.expires_at > at)

/** Signs a browser in by a link, which uses up all of them. */
const signIn = ({ before, at, wanted }: Of<{ readonly number: number; readonly digest: string }>): Happens | Refusal =>
  usableLink(before, wanted.number, at)
    ? [event.MemberSignedIn({ digest: wanted.digest, expires_at: after(at, SESSION_MS) })]
    : refuse.conflict('The link was used, or is too old', 'link', 'expired')

const signOut = ({ before, wanted: { digest } }: Of<{ readonly digest: string }>): Happens =>
  before.sessions.some((one) => one.digest === digest) ? [event.MemberSignedOut({ digest })] : []

const revoke = ({ before: { links, sessions } }: Of): Happens =>
  links.length + sessions.length === 0 ? [] : [event.MemberAccessRevoked()]

/** Decider of the accounts of members. */
export const accounts = decider(account, {
  rules: rules(account, { save: [open], acts: { askLink, signIn, signOut, revoke } }),
})
