import type { contact } from '../../domain/contacts/public.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { Page, Redirect } from '../html/page.ts'
import type { ApiContext } from '../http/context.ts'
import type { Reading, Site } from '../pages/site.ts'
import type { MembersService } from './service.ts'
import type { Language, MemberWords } from './words/words.ts'

/** Session of a contact in one browser. */
export interface Session {
  readonly accountId: number
  /** Digest by which the account knows it. */
  readonly digest: string
  /** Token of its forms. */
  readonly formToken: string
}

/** Contact who uses the members' side. */
export interface Viewer {
  readonly contact: RecordOf<typeof contact>
  /** `undefined`: a link of a mail opened one page, for reading. */
  readonly session: Session | undefined
}

/** Request for a page of the members' side. */
export interface MemberRequest {
  readonly ctx: ApiContext
  readonly service: MembersService
  readonly site: Site
  readonly reading: Reading
  readonly workspace: Document
  /** Name of the business that the members are members of. */
  readonly business: string
  readonly language: Language
  readonly words: MemberWords
  /** Time by the clock of the workspace; ISO 8601. */
  readonly at: string
  readonly viewer: Viewer | undefined
}

/** Request of a contact who is signed in, or has followed a link. */
export type ReaderRequest = MemberRequest & { readonly viewer: Viewer }

/** Request of a contact who is signed in. */
export type SignedInRequest = MemberRequest & { readonly viewer: Viewer & { readonly session: Session } }

/** Page that is shown. */
export interface MemberPage extends Page {
  /** Path of the entry of the navigation that it belongs to. */
  readonly within?: string
  /** Origins that it may frame. */
  readonly frames?: readonly string[]
  /** Sources of its videos. */
  readonly media?: readonly string[]
}

/** What a request is answered with; `undefined`: there is no such page for this contact. */
export type Answer = MemberPage | Redirect | undefined

type Handler<R> = (request: R, ids: readonly number[]) => Promise<Answer> | Answer
type Taker<R> = (request: R, ids: readonly number[], sent: URLSearchParams) => Promise<Answer> | Answer

/** Pages under a path. Each group of the pattern is an id. */
export interface Route {
  readonly path: RegExp
  /** Shows the page, and changes nothing that cannot be done again. */
  show?(request: MemberRequest, ids: readonly number[]): Promise<Answer> | Answer
  /** Whether its form can be carried out once: a repeat in the same browser gets the first answer. */
  readonly isOnce?: boolean
  /** Carries out what a form of the page asks for. */
  take?(request: MemberRequest, ids: readonly number[], sent: URLSearchParams): Promise<Answer> | Answer
  /** Whom it is for. Strangers are asked to sign in, whether there is such a page or not. */
  readonly audience: 'everybody' | 'readers' | 'members'
}

interface Of<R> {
  readonly show?: Handler<R>
  readonly take?: Taker<SignedInRequest>
}

const isReader = (request: MemberRequest): request is ReaderRequest => request.viewer !== undefined

const isSignedIn = (request: MemberRequest): request is SignedInRequest => request.viewer?.session !== undefined

const taking =
  (take: Taker<SignedInRequest>): NonNullable<Route['take']> =>
  (request, ids, sent) =>
    isSignedIn(request) ? take(request, ids, sent) : undefined

/** Declares pages for those who are signed in. */
export const forMembers = (path: RegExp, { show, take }: Of<SignedInRequest>): Route => ({
  ...{ path, audience: 'members' },
  ...(show && { show: (request, ids) => (isSignedIn(request) ? show(request, ids) : undefined) }),
  ...(take && { take: taking(take) }),
})

/** Declares pages that a link of a mail may open too. What its forms ask for takes a session. */
export const forReaders = (path: RegExp, { show, take }: Of<ReaderRequest>): Route => ({
  ...{ path, audience: 'readers' },
  ...(show && { show: (request, ids) => (isReader(request) ? show(request, ids) : undefined) }),
  ...(take && { take: taking(take) }),
})
