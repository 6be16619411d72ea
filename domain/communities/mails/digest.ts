import type { NoticeReader, Telling } from '../../emails/public.ts'
import { communityPath, postPath } from '../paths.ts'
import { digestFor } from './choices.ts'
import { membersOf, surroundingsOf } from './members.ts'
import { authorOf } from './names.ts'
import { editionOf, newsFor } from './news.ts'

/** Posts that a digest lists, at most. The others are counted. */
const MOST_LISTED = 10

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
  // What came after the digest was due is in the next one, whenever this one is handed over.
  const until = typeof values.until === 'string' ? values.until : deps.at
  const edition = await editionOf(around, { since: String(values.since), until }, members, deps)
  const news = new Map([...members].map(([id, member]) => [id, newsFor(edition, member)]))
  const listed = [...news.values()].flatMap((of) => of.slice(0, MOST_LISTED))
  const authors = await deps.contacts([...new Set(listed.flatMap(({ contact_id }) => contact_id ?? []))])
  return new Map(
    recipients.map((to): [number, Telling] => {
      const member = members.get(to.id)
      if (!member) return [to.id, { withheld: 'no_access' }]
      if (digestFor(community, member.membership) === 'nothing') return [to.id, { withheld: 'muted' }]
      const own = news.get(to.id) ?? []
      if (own.length === 0) return [to.id, { withheld: 'nothing_new' }]
      const posts = own.slice(0, MOST_LISTED).map((one) => ({
        title: one.title,
        author: authorOf(one.contact_id, authors, deps),
        space: places.get(one.space_id)?.space.name ?? '',
        url: linkTo(to, postPath(one.id)),
      }))
      const more = own.length > posts.length ? own.length - posts.length : null
      const url = linkTo(to, communityPath(community.id))
      return [to.id, { values: { community: { name: community.name }, posts, more, url } }]
    }),
  )
}
