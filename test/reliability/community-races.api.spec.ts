import { expect } from 'chai'
import type { Answer } from '../support/client.ts'
import { communitiesOf } from '../support/communities.ts'
import { type Tenant, type TestService, testService } from '../support/service.ts'
import { byForm, patience } from './form.ts'

const REQUESTS = byForm(200, 1000)
/** Requests under way at the same time. The queue of connections of a listener holds 511. */
const AT_ONCE = 400
const PAIRS = byForm(60, 1000)
const PAIRS_AT_ONCE = 50

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))

describe('many requests at once in a community', function () {
  this.timeout(patience)
  let service: TestService
  let tenant: Tenant
  let make: ReturnType<typeof communitiesOf>
  before(async () => {
    service = await testService()
  })
  beforeEach(async () => {
    tenant = await service.tenant({ test: true })
    make = communitiesOf(tenant)
  })

  /** Sends a request again and again, many times at once. */
  const atOnce = async (ask: () => Promise<Answer>) => {
    const answers: Promise<Answer>[] = []
    const line = async () => {
      while (answers.length < REQUESTS) await answers[answers.push(ask()) - 1]
    }
    await Promise.all(Array.from({ length: AT_ONCE }, line))
    return Promise.all(answers)
  }
  /** How many answers there were of each status. */
  const counted = (answers: readonly Answer[]) => {
    const counts: Record<number, number> = {}
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
    return counts
  }
  const listed = async (path: string) => (await tenant.api.get(path)).body

  it('15 43: make one membership of many joins, and one ban of many bans, of one contact', async () => {
    const { id } = await make.community()
    const contact = await make.contact()
    expect(counted(await atOnce(() => make.join(id, contact.id)))).to.deep.equal({ 201: 1, 422: REQUESTS - 1 })
    expect(await listed(`/communities/${id}/memberships`)).to.have.length(1)
    expect(counted(await atOnce(() => make.ban(id, contact.id)))).to.deep.equal({ 201: 1, 422: REQUESTS - 1 })
    expect(await listed(`/communities/${id}/bans`)).to.have.length(1)
    const other = await make.contact('grace')
    expect(counted(await atOnce(() => make.ban(id, other.id)))).to.deep.equal({ 201: 1, 422: REQUESTS - 1 })
    expect(await listed(`/communities/${id}/bans`)).to.have.length(2)
    expect(await listed(`/communities/${id}/memberships`)).to.deep.equal([])
  })

  it('15 53: make one like of many by one contact, of a post and of a comment', async () => {
    const { id: communityId } = await make.community()
    const post = await make.post((await make.space((await make.group(communityId)).id)).id)
    const { body: comment } = await make.comment(post.id)
    const contact = await make.contact()
    const likes = `/communities/spaces/posts/comments/${comment.id}/likes`
    const likeComment = () =>
      tenant.api.post(likes, { communities_spaces_posts_comments_like: { contact_id: contact.id } })
    for (const [path, like] of [
      [`/communities/spaces/posts/${post.id}/likes`, () => make.like(post.id, contact.id)],
      [likes, likeComment],
    ] as const) {
      const answers = await atOnce(like)
      expect(answers.filter(({ status }) => status !== 200 && status !== 201)).to.deep.equal([])
      expect(new Set(answers.map(({ body }) => body.id)).size).to.equal(1)
      expect(await listed(path)).to.have.length(1)
    }
  })

  it('15 43: show never a membership beside a ban, while contacts join, are banned and unbanned at once', async () => {
    const { id } = await make.community()
    const contacts: number[] = []
    while (contacts.length < PAIRS) contacts.push((await make.contact(`pair${contacts.length}`)).id)
    const { live } = service.background.stores.readModels
    let [seen, isOver] = [0, false]
    /** Contacts that are members and banned in one state of the documents: both are read in one turn of the loop. */
    const watch = async () => {
      const where = { community_id: Number(id) }
      while (!isOver) {
        const [members, bans] = await Promise.all(
          ['communities/membership', 'communities/ban'].map((name) => live.find(name, { where })),
        )
        const banned = new Set(bans?.map(({ contact_id }) => contact_id))
        expect(members?.filter(({ contact_id }) => banned.has(contact_id))).to.deep.equal([])
        if (banned.size > 0 && members && members.length > 0) seen++
        await pause(2)
      }
    }
    const watching = watch()
    const contest = async (contact: number, n: number) => {
      const [first, ban, second] = await Promise.all([
        make.join(id, contact),
        make.ban(id, contact).then(async (issued) => {
          if (n % 2 === 0) await tenant.api.delete(`/communities/bans/${issued.body.id}`)
          return issued
        }),
        make.join(id, contact),
      ])
      return [first, ban, second]
    }
    const answers: Answer[] = []
    for (let at = 0; at < PAIRS; at += PAIRS_AT_ONCE) {
      const wave = contacts.slice(at, at + PAIRS_AT_ONCE).map((contact, n) => contest(contact, at + n))
      answers.push(...(await Promise.all(wave)).flat())
    }
    isOver = true
    await watching
    expect(answers.filter(({ status }) => status >= 500)).to.deep.equal([])
    expect(seen, 'states with members and bans').to.be.greaterThan(0)
    const where = { community_id: Number(id) }
    expect(await live.find('communities/ban', { where })).to.have.length(PAIRS / 2)
  })
})
