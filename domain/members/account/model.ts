import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { data, integer, list, reference, text } from '../../kernel/model/fields.ts'
import { type FoldContext, model } from '../../kernel/model/model.ts'

/** Link by which a contact can sign in once. The mail alone has what proves it. */
export type SignInLink = {
  readonly number: number
  readonly expires_at: string
  /** Path that the browser goes to afterwards; `null`: the start page. */
  readonly to: string | null
}

/** Browser in which a contact is signed in. */
export type MemberSession = {
  /** Digest of the secret that the browser keeps, together with the address of the contact: with another address it fits no more. */
  readonly digest: string
  readonly began_at: string
  readonly expires_at: string
}

/** Sessions of a contact at once. The oldest makes room for the next. */
const MOST_SESSIONS = 20

type Held =
  | {
      readonly asked: readonly string[]
      readonly links: readonly SignInLink[]
      readonly sessions: readonly MemberSession[]
    }
  | undefined

const HOUR_MS = 60 * 60_000

/** Returns those of some times that are within the hour before another. */
export const withinHour = (times: readonly string[], at: string): readonly string[] =>
  times.filter((time) => Date.parse(at) - Date.parse(time) < HOUR_MS)

const linkAsked = (before: Held, { number, expires_at, to }: SignInLink, { at }: FoldContext) => ({
  asked: [...withinHour(before?.asked ?? [], at), at],
  links: [...(before?.links ?? []).filter((one) => one.expires_at > at), { number, expires_at, to }],
  link_count: number,
})

const signedIn = (before: Held, { digest, expires_at }: Omit<MemberSession, 'began_at'>, { at }: FoldContext) => ({
  links: [],
  sessions: [
    ...(before?.sessions ?? []).filter((one) => one.expires_at > at).slice(1 - MOST_SESSIONS),
    { digest, began_at: at, expires_at },
  ],
})

const signedOut = (before: Held, { digest }: Pick<MemberSession, 'digest'>) => ({
  sessions: (before?.sessions ?? []).filter((one) => one.digest !== digest),
})

/** How a contact gets to the members' side: links that were asked for, and the browsers in which it is signed in. */
export const account = model('members/account', {
  attributes: {
    contact_id: managed(reference('contact', { required: true, onTargetEnd: 'keep' })),
    /** When links were asked for in the last hour. */
    asked: managed(list(text(), { initial: [] }), { shown: 'never' }),
    link_count: managed(integer({ initial: 0 }), { shown: 'never' }),
    links: managed(
      data<readonly SignInLink[], { readonly initial: readonly [] }>(Type.Array(Type.Object({})), { initial: [] }),
      { shown: 'never' },
    ),
    sessions: managed(
      data<readonly MemberSession[], { readonly initial: readonly [] }>(Type.Array(Type.Object({})), { initial: [] }),
      { shown: 'never' },
    ),
  },
  events: {
    MemberAccountOpened: { creates: true, only: ['contact_id'] },
    SignInLinkAsked: { evolve: linkAsked },
    /** All links are used up by one. */
    MemberSignedIn: { evolve: signedIn },
    MemberSignedOut: { evolve: signedOut },
    /** The contact has another address, or is gone. */
    MemberAccessRevoked: { constants: { links: [], sessions: [] } },
  },
  unique: [{ attributes: ['contact_id'], says: 'Contact has an account already' }],
})
