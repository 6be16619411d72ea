import { expect } from 'chai'
import { tellDigest } from '../../../domain/communities/mails/digest.ts'
import type { TellingDeps } from '../../../domain/emails/public.ts'
import { readerOver } from '../../../domain/kernel/decide/rules.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
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
const around = async (rows: Readonly<Record<string, readonly Document[]>>) => {
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

describe('what a digest tells of mentions that were not mailed', () => {
  const OLD = '2026-04-01T00:00:00.000Z'
  const old = (id: number, more: object = {}) => shown(id, { approved_at: OLD, ...more })
  const text = (...ids: readonly number[]) => ids.map((id) => `<span data-mention="${id}"></span>`).join('')
  const comment = (id: number, more: object = {}) => ({
    ...{ id, post_id: 1, community_id: 3, contact_id: 5, body: text(READER, MODERATOR), emptied_at: null },
    ...{ skip_notifications: false, approved_at: minute(id), declined_at: null },
    ...more,
  })
  /** Record of whom a comment was told to: the reader got no mail. */
  const untold = (comment_id: number | null, more: object = {}, at = minute(comment_id ?? 1)) => ({
    ...{ id: comment_id ?? 9999, community_id: 3, post_id: 1, comment_id, told_ids: [MODERATOR] },
    ...{ untold: [{ contact_id: READER, at }], untold_in: 3, untold_at: at },
    ...more,
  })
  const rows = (
    of: Readonly<Partial<Record<'posts' | 'comments' | 'notices' | 'views' | 'members', readonly Document[]>>>,
  ) => ({
    'communities/spaces/post': of.posts ?? [old(1)],
    'communities/spaces/posts/comment': of.comments ?? [comment(5)],
    'communities/notice': of.notices ?? [untold(5)],
    'communities/spaces/posts/view': of.views ?? [],
    ...(of.members && { 'communities/membership': of.members }),
  })
  const NOTHING = ['nothing_new', 'nothing_new']
  const READERS = [['Post 1', 1, null], 'nothing_new']

  it('lists the post of a comment, to those alone who got no mail', async () => {
    expect(await toldAt(DUE, rows({}))).to.deep.equal(READERS)
  })

  it('lists a post once, however many of its comments mention somebody', async () => {
    const two = { comments: [comment(5), comment(6)], notices: [untold(5), untold(6)] }
    expect(await toldAt(DUE, rows(two))).to.deep.equal(READERS)
    const isNew = { ...two, posts: [shown(1)] }
    expect(await toldAt(DUE, rows(isNew))).to.deep.equal(Array(2).fill(['Post 1', 1, null]))
  })

  it('asks who sees a comment before it counts, however many others see', async () => {
    const secret = numbers(10, 150)
    const told = await toldAt(
      DUE,
      rows({
        posts: [old(1), old(2, { space_id: SECRET })],
        comments: [comment(500), ...secret.map((id) => comment(id, { post_id: 2 }))],
        notices: [untold(500), ...secret.map((id) => untold(id, { post_id: 2 }))],
      }),
    )
    expect(told).to.deep.equal(READERS)
  })

  it('leaves out what is not shown, is silent, mentions the reader no more, or was seen since', async () => {
    for (const change of [
      { approved_at: null },
      { declined_at: DUE },
      { emptied_at: DUE },
      { skip_notifications: true },
      { body: text(MODERATOR) },
    ])
      expect((await toldAt(DUE, rows({ comments: [comment(5, change)] })))[0], JSON.stringify(change)).to.equal(
        'nothing_new',
      )
    const viewed = (viewed_at: string) => [{ id: 1, post_id: 1, contact_id: READER, viewed_at }]
    expect(await toldAt(DUE, rows({ views: [...viewed(minute(6))] }))).to.deep.equal(NOTHING)
    expect(await toldAt(DUE, rows({ views: [...viewed(minute(4))] }))).to.deep.equal(READERS)
  })

  it('begins and ends as the digest does', async () => {
    for (const at of [SINCE, '2026-05-02T06:00:01.000Z'])
      expect(await toldAt('2026-05-02T06:00:30.000Z', rows({ notices: [untold(5, {}, at)] }))).to.deep.equal(NOTHING)
    expect(await toldAt(DUE, rows({ notices: [untold(5, {}, DUE)] }))).to.deep.equal(READERS)
  })

  it('has mentions alone for who is mailed about posts at once, and no post that is new', async () => {
    const community = {
      ...{ id: 3, name: 'Potters', status: 'live', private: false, notifications: 'all', send_digest_email: true },
    }
    const told = (of: Parameters<typeof rows>[0]) => toldAt(DUE, { ...rows(of), community: [community] })
    expect(await told({ posts: [shown(1)] })).to.deep.equal(READERS)
    const body = text(READER)
    expect(await told({ posts: [shown(1, { body })], notices: [untold(null)] })).to.deep.equal(NOTHING)
    const edited = untold(null, {}, minute(30))
    expect(await told({ posts: [shown(1, { body })], notices: [edited] })).to.deep.equal(READERS)
  })

  it('has a post that mentions somebody by an edit, when it is no longer new', async () => {
    const posts = [old(1, { body: text(READER) })]
    expect(await toldAt(DUE, rows({ posts, notices: [untold(null)] }))).to.deep.equal(READERS)
  })
})
