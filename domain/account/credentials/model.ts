import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { data, flag, integer, list, reference, text } from '../../kernel/model/fields.ts'
import { type FoldContext, model } from '../../kernel/model/model.ts'
import { secondFactorAttributes, secondFactorEvents } from './second-factor.ts'

/** What a link is for. `first`: the operator hands it to the first owner; `reset`: it leads to a new password. */
export type LinkPurpose = 'sign_in' | 'reset' | 'first'

/** Link by which a user gets in once. What proves it is in the mail, or with the operator, alone. */
export type UserLink = {
  readonly number: number
  readonly purpose: LinkPurpose
  readonly expires_at: string
  /** Path that the browser goes to afterwards; `null`: the start page. */
  readonly to: string | null
}

/** Browser in which a user is signed in. */
export type UserSession = {
  /** Digest of the secret that the browser keeps. */
  readonly digest: string
  readonly began_at: string
  readonly expires_at: string
  /** Whether a second factor was asked for and given. */
  readonly second_factor: boolean
  /** What the browser calls itself, such as `Firefox on Windows`. */
  readonly browser: string | null
}

type Held =
  | {
      readonly asked: readonly string[]
      readonly links: readonly UserLink[]
      readonly sessions: readonly UserSession[]
    }
  | undefined

/** Sessions of a user at once. The oldest makes room for the next. */
const MOST_SESSIONS = 50
const HOUR_MS = 60 * 60_000

/** Returns those of some times that are within the hour before another. */
export const withinHour = (times: readonly string[], at: string): readonly string[] =>
  times.filter((time) => Date.parse(at) - Date.parse(time) < HOUR_MS)

const linksAfter = (before: Held, link: UserLink, at: string): readonly UserLink[] => {
  const open = (before?.links ?? []).filter(({ expires_at }) => expires_at > at)
  // A link of the operator's takes the place of the one before.
  return [...open.filter(({ purpose }) => link.purpose !== 'first' || purpose !== 'first'), link]
}

const linkAsked = (before: Held, { number, purpose, expires_at, to }: UserLink, { at }: FoldContext) => ({
  asked: [...withinHour(before?.asked ?? [], at), at],
  links: linksAfter(before, { number, purpose, expires_at, to }, at),
  link_count: number,
})

const linkIssued = (before: Held, { number, purpose, expires_at, to }: UserLink, { at }: FoldContext) => ({
  links: linksAfter(before, { number, purpose, expires_at, to }, at),
  link_count: number,
})

type Begun = Omit<UserSession, 'began_at' | 'browser'> & { readonly browser?: string | null }

const withSession = (before: Held, { digest, expires_at, second_factor, browser = null }: Begun, at: string) => [
  ...(before?.sessions ?? []).filter((one) => one.expires_at > at).slice(1 - MOST_SESSIONS),
  { digest, began_at: at, expires_at, second_factor, browser },
]

/** Once somebody is in, links may be asked for anew, however many were before. */
const signedIn = (before: Held, session: Begun, { at }: FoldContext) => ({
  sessions: withSession(before, session, at),
  has_signed_in: true,
  asked: [],
})

const signedOut = (before: Held, { digest }: Pick<UserSession, 'digest'>) => ({
  sessions: (before?.sessions ?? []).filter((one) => one.digest !== digest),
})

/** One browser alone stays signed in. */
const signedOutElsewhere = (before: Held, { digest }: Pick<UserSession, 'digest'>) => ({
  sessions: (before?.sessions ?? []).filter((one) => one.digest === digest),
})

type Renewed = Pick<UserSession, 'digest' | 'second_factor'> & { readonly former_digest: string }

const renewed = (before: Held, { former_digest, digest, second_factor }: Renewed) => ({
  sessions: (before?.sessions ?? []).map((one) =>
    one.digest === former_digest ? { ...one, digest, second_factor } : one,
  ),
})

type Changed = { readonly password: string; readonly generation: number; readonly session: UserSession }

/** The browser in which the password is changed keeps a session, of another id. All else ends. */
const passwordChanged = (_: Held, { password, generation, session }: Changed) => ({
  password,
  generation,
  sessions: [session],
  links: [],
})

/** Connections that are remembered as ended along with a password. A policy has long cleared the older ones away. */
const MOST_DISCONNECTED = 1000

const disconnected = (
  before: { readonly disconnected: readonly number[] } | undefined,
  { connection_ids = [] }: { readonly connection_ids: readonly number[] },
) => ({ disconnected: [...(before?.disconnected ?? []), ...connection_ids].slice(-MOST_DISCONNECTED) })

const never = { shown: 'never' } as const

/**
 * How a user signs in: password, links, and the browsers in which the user is signed in. It has the id of its user.
 *
 * `generation` is a number that everything carries that was handed out to the user. Once it has risen, all of that has ended.
 */
export const credential = model('credentials', {
  attributes: {
    user_id: managed(reference('user', { required: true, onTargetEnd: 'keep' })),
    generation: managed(integer({ initial: 0 }), never),
    /** Digest of the password; `null`: there is none. */
    password: managed(text({ max: 500 }), never),
    /** Connections of applications that the user ended along with a password. Their tokens are refused from then on. */
    disconnected: managed(list(integer(), { initial: [] }), never),
    /** Whether the user has ever signed in. */
    has_signed_in: managed(flag({ initial: false }), never),
    /** When links were asked for in the last hour. */
    asked: managed(list(text(), { initial: [] }), never),
    link_count: managed(integer({ initial: 0 }), never),
    links: managed(
      data<readonly UserLink[], { readonly initial: readonly [] }>(Type.Array(Type.Object({})), { initial: [] }),
      never,
    ),
    sessions: managed(
      data<readonly UserSession[], { readonly initial: readonly [] }>(Type.Array(Type.Object({})), { initial: [] }),
      never,
    ),
    ...secondFactorAttributes,
  },
  events: {
    CredentialsOpened: { creates: true, only: ['user_id'] },
    UserLinkAsked: { evolve: linkAsked },
    UserLinkIssued: { evolve: linkIssued },
    /** One link uses up all. */
    UserLinkUsed: { constants: { links: [] } },
    UserSignedIn: { evolve: signedIn },
    UserSignedOut: { evolve: signedOut },
    UserSignedOutElsewhere: { evolve: signedOutElsewhere },
    /** A session has another id from now on, and may have more rights. */
    UserSessionRenewed: { evolve: renewed },
    UserPasswordChanged: { evolve: passwordChanged },
    /** All that was handed out has ended, and there is a new password. */
    UserPasswordReset: { sets: ['password', 'generation'], constants: { links: [], sessions: [] } },
    /** With a new password the user asked for the end of these connections of applications, which hold at once. A policy clears them away. */
    UserApplicationsDisconnected: { evolve: disconnected },
    /** All that was handed out has ended. */
    UserAccessReset: { sets: ['generation'], constants: { links: [], sessions: [] } },
    ...secondFactorEvents,
  },
})
