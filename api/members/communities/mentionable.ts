import { comment, isReader, membership } from '../../../domain/communities/public.ts'
import type { AtPost, InSpace } from './access.ts'
import { type Names, namesOf } from './names.ts'

/** Contacts who are offered. */
const MOST = 40

const conversationOf = async (at: InSpace & Partial<Pick<AtPost, 'post'>>): Promise<readonly (number | null)[]> => {
  if (!at.post) return []
  const said = await at.read.find(comment, { where: { shown_on: at.post.id }, limit: MOST })
  return [at.post.contact_id, ...said.map(({ contact_id }) => contact_id)]
}

/** Returns whom a reader may mention: those who talk, and other members, as far as they see what is in the space. */
export const mentionable = async (at: InSpace & Partial<Pick<AtPost, 'post'>>): Promise<Names> => {
  const own = at.request.viewer.contact.id
  const [talking, members] = await Promise.all([
    conversationOf(at),
    at.read.find(membership, { where: { community_id: at.community.id }, limit: MOST }),
  ])
  const all = [...talking, ...members.map(({ contact_id }) => contact_id)]
  const ids = [...new Set(all)].filter((id) => id !== null && id !== own).slice(0, MOST)
  const readers = await Promise.all(ids.map((id) => id !== null && isReader(id, at.place, at.read)))
  return namesOf(
    at,
    ids.filter((_, n) => readers[n]),
  )
}
