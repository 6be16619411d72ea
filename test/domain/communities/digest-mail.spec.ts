import { expect } from 'chai'
import { tellDigest } from '../../../domain/communities/mails/digest.ts'
import type { TellingDeps } from '../../../domain/emails/public.ts'
import { readerOver } from '../../../domain/kernel/decide/rules.ts'
import { MemoryReadModels } from '../../support/memory/read-models.ts'
import { unbound } from '../../support/unbound.ts'

const SINCE = '2026-05-01T06:00:00.000Z'
const DUE = '2026-05-02T06:00:00.000Z'
const [OPEN, SECRET] = [11, 12]
const [READER, MODERATOR] = [7, 9]

const minute = (n: number): string => new Date(Date.parse(SINCE) + n * 60_000).toISOString()
const shown = (id: number, more: object = {}) => ({
  ...{ id, community_id: 3, space_id: OPEN, contact_id: 5, title: `Post ${id}`, body: '' },
  ...{ approved_at: minute(id), declined_at: null },
  ...more,
})
const member = (contact_id: number, more: object = {}) => ({
  ...{
    id: contact_id,
    community_id: 3,
    contact_id,
    moderator: false,
    space_ids: [],
    created_at: '2026-01-01T00:00:00.000Z',
  },
  ...{ notifications: null, send_digest_email: null },
  ...more,
})

/** A community with a space that everybody sees, and a secret one. */
const around = async (rows: Readonly<Record<string, readonly { readonly id: number }[]>>) => {
  const models = new MemoryReadModels()
  const all = {
    community: [
      { id: 3, name: 'Potters', status: 'live', private: false, notifications: 'essential', send_digest_email: true },
    ],
    'communities/space_group': [{ id: 1, community_id: 3, access: 'is_open', is_hidden_from_non_members: false }],
    'communities/space': [
      { id: OPEN, community_id: 3, space_group_id: 1, name: 'Glazes', access: 'is_open' },
      { id: SECRET, community_id: 3, space_group_id: 1, name: 'Board', access: 'is_secret' },
    ],
    'communities/membership': [member(READER), member(MODERATOR, { moderator: true })],
    ...rows,
  }
  const changes = Object.entries(all).flatMap(([collection, documents]) =>
    documents.map((document) => ({ collection, id: document.id, document, position: 1 })),
  )
  await models.apply(changes, 1)
  return unbound(models)
}

/** Returns what the members are told by the digest that is handed over at a time. */
const toldAt = async (at: string, rows: Parameters<typeof around>[0]) => {
  const recipients = [READER, MODERATOR].map((id) => ({ id })) as unknown as Parameters<typeof tellDigest>[1]
  const deps: TellingDeps = {
    ...{ read: readerOver(await around(rows)), at, day: '2026-05-02', locale: 'en', business: 'Clay' },
    contacts: async () => new Map(),
    linkTo: () => null,
  }
  const values = { community_id: 3, since: SINCE, until: DUE, day: '2026-05-02' }
  const notice = { id: 1, kind: 'community_digest', values, created_at: DUE }
  const told = await tellDigest(notice, recipients, deps)
  return [READER, MODERATOR].map((id) => {
    const one = told.get(id)
    if (!one || 'withheld' in one) return one?.withheld
    const { posts, more } = one.values as unknown as { posts: readonly { title: string }[]; more: number | null }
    return [posts[0]?.title, posts.length, more]
  })
}

const numbers = (first: number, count: number) => Array.from({ length: count }, (_, n) => first + n)

describe('what a digest tells', () => {
  it('asks who sees a post before it counts, however many others see', async () => {
    const secret = numbers(2, 120).map((id) => shown(id, { space_id: SECRET }))
    const told = await toldAt(DUE, { 'communities/spaces/post': [shown(1), ...secret] })
    expect(told).to.deep.equal([
      ['Post 1', 1, null],
      ['Post 121', 10, 111],
    ])
  })

  it('counts posts of one instant once, over any number of pages', async () => {
    const rows = { 'communities/spaces/post': numbers(1, 250).map((id) => shown(id, { approved_at: minute(1) })) }
    expect(await toldAt(DUE, rows)).to.deep.equal(Array(2).fill(['Post 250', 10, 240]))
  })

  it('ends when it was due, whenever it is handed over: what came later is in the next', async () => {
    const rows = { 'communities/spaces/post': [shown(1), shown(2, { approved_at: '2026-05-02T06:00:01.600Z' })] }
    expect(await toldAt('2026-05-02T06:00:30.000Z', rows)).to.deep.equal(Array(2).fill(['Post 1', 1, null]))
  })

  it('leaves out mentions that were mailed, and has those beyond the most that are', async () => {
    const body = [READER, MODERATOR].map((id) => `<span data-mention="${id}"></span>`).join('')
    const notice = { id: 1, post_id: 1, comment_id: null, mentioned_ids: [READER, MODERATOR], told_ids: [READER] }
    const rows = { 'communities/spaces/post': [shown(1, { body })], 'communities/notice': [notice] }
    expect(await toldAt(DUE, rows)).to.deep.equal(['nothing_new', ['Post 1', 1, null]])
  })
})
