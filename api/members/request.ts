import type { contact } from '../../domain/contacts/public.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import {
  type AnswerOf,
  type MaybeAnswer,
  only,
  type PageRequest,
  type PageRoute,
  type ShownPage,
} from '../page-app/route.ts'
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
export interface MemberRequest extends PageRequest {
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
export type SignedInRequest = MemberRequest & {
  readonly viewer: Viewer & { readonly session: Session }
  readonly formToken: string
}

/** Page that is shown. */
export type MemberPage = ShownPage

/** What a request is answered with; `undefined`: there is no such page for this contact. */
export type Answer = AnswerOf<MemberPage>

/** Pages under a path. */
export interface Route extends PageRoute<MemberRequest, MemberPage> {
  /** Whom it is for. Strangers are asked to sign in, whether there is such a page or not. */
  readonly audience: 'everybody' | 'readers' | 'members'
}

type Ids = readonly number[]

interface Of<R> {
  readonly show?: (request: R, ids: Ids) => MaybeAnswer<MemberPage>
  readonly take?: (request: SignedInRequest, ids: Ids, sent: URLSearchParams) => MaybeAnswer<MemberPage>
}

const isReader = (request: MemberRequest): request is ReaderRequest => request.viewer !== undefined

/** Whether somebody is signed in. */
export const isSignedIn = (request: MemberRequest): request is SignedInRequest => request.viewer?.session !== undefined

/** Returns what shows a page to some, and takes its form from those who are signed in. Each group of the pattern is an id. */
const handlersFor = <R extends MemberRequest>(
  isOf: (request: MemberRequest) => request is R,
  { show, take }: Of<R>,
): Pick<Route, 'show' | 'take'> => ({
  show: only(isOf, show && ((request: R, groups: readonly string[]) => show(request, groups.map(Number)))),
  take: only(
    isSignedIn,
    take &&
      ((request: SignedInRequest, sent: URLSearchParams, groups: readonly string[]) =>
        take(request, groups.map(Number), sent)),
  ),
})

/** Declares pages for those who are signed in. */
export const forMembers = (path: RegExp, of: Of<SignedInRequest>): Route => ({
  ...{ path, audience: 'members' },
  ...handlersFor(isSignedIn, of),
})

/** Declares pages that a link of a mail may open too. What its forms ask for takes a session. */
export const forReaders = (path: RegExp, of: Of<ReaderRequest>): Route => ({
  ...{ path, audience: 'readers' },
  ...handlersFor(isReader, of),
})
