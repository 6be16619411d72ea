import type { NoticeReader, Telling, TellingDeps } from '../../emails/public.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { MaybePromise } from '../../kernel/values/maybe-promise.ts'
import { mentionsIn, readMentions } from '../mentions.ts'
import { communityPath, postPath } from '../paths.ts'
import { post, postView } from '../post/model.ts'
import { sees } from '../visibility.ts'
import { notificationsOf, wantsDigest } from './choices.ts'
import { type MailedMember, membersOf, type Surroundings, surroundingsOf } from './members.ts'
import { authorOf } from './names.ts'

/** Posts that a digest lists, at most. The others are counted. */
const MOST_LISTED = 10
/** Newest posts among which a digest looks. */
const MOST_READ = 100

type Post = RecordOf<typeof post>

/** What the digests of a community on one day have in common. */
interface Edition {
  readonly around: Surroundings
  readonly since: string
  readonly posts: readonly Post[]
  /** Posts that each member has read, by the id of its contact. */
  readonly read: ReadonlyMap<number, ReadonlySet<number>>
}

/** Reads the newest posts since a time, the newest first. */
const newPosts = (
  community_id: number,
  { since, until }: { readonly since: string; readonly until: string },
  { read }: TellingDeps,
): MaybePromise<readonly Post[]> =>
  read.find(post, {
    where: { community_id, approved_at: { $gt: since, $lte: until } },
    sort: { by: 'approved_at', descending: true },
    limit: MOST_READ,
  })

/** Returns what a member has not read, and has had no mail of its own about, the newest first. */
const unread = ({ around, since, posts, read }: Edition, member: MailedMember): readonly Post[] => {
  const { membership, contact_id } = member
  const from = membership.created_at > since ? membership.created_at : since
  const isToldAtOnce = notificationsOf(around.community, membership) !== 'off'
  return posts.filter((one) => {
    const place = around.places.get(one.space_id)
    const isNew = (one.approved_at ?? '') > from && one.contact_id !== contact_id
    if (place === undefined || !isNew || read.get(contact_id)?.has(one.id) || !sees(one, place, member)) return false
    return !isToldAtOnce || !mentionsIn(one.body).includes(contact_id)
  })
}

/** Reads which of some posts members have read. */
const readBy = async (contactIds: readonly number[], posts: readonly Post[], { read }: TellingDeps) => {
  const found = new Map<number, Set<number>>(contactIds.map((id) => [id, new Set()]))
  if (posts.length === 0) return found
  const oldest = posts.reduce((least, { id }) => Math.min(least, id), Number.POSITIVE_INFINITY)
  const where = { contact_id: { $in: [...contactIds] }, post_id: { $gte: oldest } }
  for (const { contact_id, post_id } of await read.find(postView, { where, sort: { by: 'post_id' } }))
    found.get(contact_id)?.add(post_id)
  return found
}

/** Reads what the digests to some members have in common. */
const editionOf = async (
  around: Surroundings,
  since: string,
  members: ReadonlyMap<number, MailedMember>,
  deps: TellingDeps,
): Promise<Edition> => {
  const posts = await newPosts(around.community.id, { since, until: deps.at }, deps)
  for (const { body } of posts) await readMentions(body)
  return { around, since, posts, read: await readBy([...members.keys()], posts, deps) }
}

/** Tells members once a day what is new in a community and they have not read. A digest of another day than today is too late. */
export const tellDigest: NoticeReader = async ({ values }, recipients, deps) => {
  const { read, day, linkTo } = deps
  const around = await surroundingsOf(Number(values.community_id), read)
  if (!around || values.day !== day) return new Map(recipients.map(({ id }) => [id, { withheld: 'outdated' }]))
  const { community, places } = around
  const members = await membersOf(
    recipients.map(({ id }) => id),
    around,
    read,
  )
  const edition = await editionOf(around, String(values.since), members, deps)
  const authors = await deps.contacts([...new Set(edition.posts.flatMap(({ contact_id }) => contact_id ?? []))])
  return new Map(
    recipients.map((to): [number, Telling] => {
      const member = members.get(to.id)
      if (!member) return [to.id, { withheld: 'no_access' }]
      if (!wantsDigest(community, member.membership)) return [to.id, { withheld: 'muted' }]
      const news = unread(edition, member)
      if (news.length === 0) return [to.id, { withheld: 'nothing_new' }]
      const posts = news.slice(0, MOST_LISTED).map((one) => ({
        title: one.title,
        author: authorOf(one.contact_id, authors, deps),
        space: places.get(one.space_id)?.space.name ?? '',
        url: linkTo(to, postPath(one.id)),
      }))
      const more = news.length > posts.length ? news.length - posts.length : null
      const url = linkTo(to, communityPath(community.id))
      return [to.id, { values: { community: { name: community.name }, posts, more, url } }]
    }),
  )
}
