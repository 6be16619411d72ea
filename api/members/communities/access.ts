import {
  comment,
  community,
  type Degree,
  degreeOf,
  isOpenTo,
  type JoinedMember,
  participation,
  participations,
  placeOf,
  post,
  type Standing,
  sees,
  standingIn,
  VISITOR,
  type WholePlace,
} from '../../../domain/communities/public.ts'
import { boundTo } from '../../../domain/kernel/decide/bound-reader.ts'
import { type Reader, readerOver } from '../../../domain/kernel/decide/rules.ts'
import type { RecordOf } from '../../../domain/kernel/model/model.ts'
import type { ReaderRequest, SignedInRequest } from '../request.ts'
import { type CommunityWords, communityWords } from './words/words.ts'

/** A reader in a community. Nobody who is banned from it gets this far. */
export interface InCommunity<R extends ReaderRequest = ReaderRequest> {
  readonly request: R
  readonly words: CommunityWords
  readonly read: Reader
  readonly community: RecordOf<typeof community>
  /** `undefined`: who has not joined. */
  readonly member: JoinedMember | undefined
}

/** A reader in a space. */
export interface InSpace<R extends ReaderRequest = ReaderRequest> extends InCommunity<R> {
  readonly place: WholePlace
  /** `closed`: what is in it is not shown. */
  readonly degree: Exclude<Degree, 'hidden'>
}

/** A reader of a post. */
export interface AtPost<R extends ReaderRequest = ReaderRequest> extends InSpace<R> {
  readonly post: RecordOf<typeof post>
}

/** A reader of a comment. */
export interface AtComment<R extends ReaderRequest = ReaderRequest> extends AtPost<R> {
  readonly comment: RecordOf<typeof comment>
}

/** Returns the records of the site's workspace. */
export const readerOf = ({ service, site }: ReaderRequest): Reader => readerOver(boundTo(service.everywhere, site))

/**
 * Returns what a reader is in the communities that it has had to do with, as the log has it now: a ban counts with the next request, also in another process.
 *
 * @param among conditions; default: in all of them
 */
export const standingsNow = async (
  request: ReaderRequest,
  among: { readonly community_id?: number } = {},
): Promise<ReadonlyMap<number, Standing>> => {
  const read = readerOf(request)
  const found = await read.find(participation, { where: { contact_id: request.viewer.contact.id, ...among } })
  const standings = found.map(async ({ id, community_id }): Promise<[number, Standing]> => {
    const records = await request.service.engine.records(participations, id, -1)
    return [community_id, await standingIn(records, request.at, read)]
  })
  return new Map(await Promise.all(standings))
}

/** Lets a reader into a community; `undefined`: there is none for it. */
export const inCommunity = async <R extends ReaderRequest>(
  request: R,
  id: number,
): Promise<InCommunity<R> | undefined> => {
  const read = readerOf(request)
  const found = await read.one(community, id)
  if (!found) return undefined
  const standing = (await standingsNow(request, { community_id: id })).get(id) ?? VISITOR
  if (!isOpenTo(found, standing)) return undefined
  return { request, words: communityWords(request), read, community: found, member: standing.member }
}

/** Lets a reader into a space; `undefined`: there is none for it. */
export const inSpace = async <R extends ReaderRequest>(request: R, id: number): Promise<InSpace<R> | undefined> => {
  const place = await placeOf(id, readerOf(request))
  const within = place && (await inCommunity(request, place.community.id))
  if (!place || !within) return undefined
  const degree = degreeOf(place, within.member)
  return degree === 'hidden' ? undefined : { ...within, place, degree }
}

/** Lets a reader read a post; `undefined`: there is none for it. */
export const atPost = async <R extends ReaderRequest>(request: R, id: number): Promise<AtPost<R> | undefined> => {
  const found = await readerOf(request).one(post, id)
  const within = found && (await inSpace(request, found.space_id))
  return within && sees(found, within.place, within.member) ? { ...within, post: found } : undefined
}

/** Lets a reader read a comment; `undefined`: there is none for it. */
export const atComment = async <R extends ReaderRequest>(request: R, id: number): Promise<AtComment<R> | undefined> => {
  const found = await readerOf(request).one(comment, id)
  const within = found && found.emptied_at === null ? await atPost(request, found.post_id) : undefined
  return found && within && sees(found, within.place, within.member) ? { ...within, comment: found } : undefined
}

/** A member who is signed in. */
export type Acting<T extends InCommunity> = T & { readonly request: SignedInRequest; readonly member: JoinedMember }

/** Whether somebody may act in a community: a member who is signed in. */
export const isActing = <T extends InCommunity>(one: T): one is Acting<T> =>
  one.member !== undefined && one.request.viewer.session !== undefined
