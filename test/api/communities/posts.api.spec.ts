import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { communitiesOf } from '../../support/communities.ts'
import { until } from '../../support/eventually.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'

const POSTS = '/communities/spaces/posts'

describe('posts over REST', () => {
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

  const begun = async () => {
    const { id: communityId } = await make.community()
    const group = await make.group(communityId)
    const space = await make.space(group.id)
    const { id: contactId } = await make.contact()
    return { communityId, group, space, contactId }
  }
  const get = (path: string) => tenant.api.get(path)

  it('15 70: are approved at once, take HTML and show its text', async () => {
    const { group, space, contactId } = await begun()
    const body = '<p>Glaze &amp;amp; fire</p><script>alert(1)</script><ul><li>one<li>two</ul>three<br>four'
    const post = await make.post(space.id, { contact_id: contactId, body })
    expect(post).to.include({ title: 'Crawling', body: 'Glaze &amp; fire\none\ntwo\nthree\nfour', is_pinned: false })
    expect(post.approved_at).to.be.a('string')
    expect([post.contact.id, post.contact_id]).to.deep.equal([contactId, contactId])
    expect(post.group).to.deep.equal({ id: group.id, public_id: group.public_id, name: 'Kilns' })
    expect(post.topic).to.deep.equal({ id: space.id, public_id: space.public_id, name: 'Glazes' })
  })

  it('15 56 70: fill in the names that those have now whom they mention, and nobody after the end', async () => {
    const { communityId, space } = await begun()
    const ada = await make.contact('bea')
    const grace = await make.contact('grace')
    for (const { id } of [ada, grace]) await make.join(communityId, id)
    const mention = (id: number) => `<span data-mention="${id}">@Old name</span>`
    const body = `<p>${mention(ada.id)} and ${mention(grace.id)}</p><p>&lt;${mention(ada.id)}</p>`
    const post = await make.post(space.id, { body })
    const { body: comment } = await make.comment(post.id, { body: mention(ada.id) })
    const rename = (first_name: string) => tenant.api.put(`/contacts/${ada.id}`, { contact: { first_name } })
    await rename('Ada')
    const text = (name: string) => `@${name} and @Member ${grace.public_id}\n<@${name}`
    expect((await get(`${POSTS}/${post.id}`)).body.body).to.equal(text('Ada'))
    expect((await get(`${POSTS}/comments/${comment.id}`)).body.body).to.equal('@Ada')
    await rename('Augusta')
    expect((await get(`/communities/spaces/${space.id}/posts`)).body[0].body).to.equal(text('Augusta'))
    await tenant.api.delete(`/contacts/${ada.id}`)
    expect((await get(`${POSTS}/${post.id}`)).body.body).to.equal(text('former member'))
  })

  it('keep their author: who is sent with a change is ignored', async () => {
    const { space, contactId } = await begun()
    const post = await make.post(space.id)
    expect([post.contact_id, post.contact]).to.deep.equal([null, null])
    const { status, body } = await tenant.api.put(`${POSTS}/${post.id}`, {
      communities_spaces_post: { contact_id: contactId, title: 'Pinholes' },
    })
    expect([status, body.contact_id, body.title]).to.deep.equal([200, null, 'Pinholes'])
  })

  it('15 40: nobody posts, comments or likes for a contact that is banned or deleted', async () => {
    const { communityId, space, contactId } = await begun()
    const post = await make.post(space.id)
    const { id: deleted } = await make.contact('grace')
    await make.ban(communityId, contactId)
    await tenant.api.delete(`/contacts/${deleted}`)
    for (const contact_id of [contactId, deleted]) {
      const written = { communities_spaces_post: { title: 'Crawling', contact_id } }
      const answers = [
        await tenant.api.post(`/communities/spaces/${space.id}/posts`, written),
        await make.comment(post.id, { contact_id }),
        await make.like(post.id, contact_id),
      ]
      expect(answers.map(({ status }) => status)).to.deep.equal([422, 422, 422])
    }
  })

  it('15 46: approve, decline, dismiss, pin and unpin repeated do nothing more', async () => {
    const { space } = await begun()
    const { id } = await make.post(space.id)
    const act = async (name: string) => (await tenant.api.post(`${POSTS}/${id}/${name}`)).body
    for (const name of ['decline', 'approve', 'decline', 'dismiss_reports', 'pin', 'unpin']) {
      const first = await act(name)
      expect(await act(name), name).to.deep.equal(first)
    }
    expect(await act('decline')).to.include({ approved_at: null })
    const approved = await act('approve')
    expect([approved.declined_at, typeof approved.approved_at]).to.deep.equal([null, 'string'])
    expect((await act('pin')).is_pinned).to.equal(true)
  })

  it('15 45: approve with a revision is refused for a text that has changed since', async () => {
    const { space } = await begun()
    const post = await make.post(space.id)
    const path = `${POSTS}/${post.id}`
    await tenant.api.post(`${path}/decline`)
    const seen = { 'If-Match': String((await get(path)).headers.get('etag')) }
    await tenant.api.put(path, { communities_spaces_post: { body: 'Something else' } })
    expect((await tenant.api.post(`${path}/approve`, undefined, { headers: seen })).status).to.equal(412)
    expect((await get(path)).body).to.include({ approved_at: null, is_pending: false })
    const now = { 'If-Match': String((await get(path)).headers.get('etag')) }
    expect((await tenant.api.post(`${path}/approve`, undefined, { headers: now })).body.approved_at).to.be.a('string')
  })

  it('15 37: mention only contacts who see them, by reference', async () => {
    const { communityId, space, contactId } = await begun()
    const { id: banned } = await make.contact('grace')
    await make.ban(communityId, banned)
    const mention = (id: number, name = 'Ada') => `<p>Ask <span data-mention="${id}">${name}</span></p>`
    const refused = async (spaceId: number, id: number) =>
      (
        await tenant.api.post(`/communities/spaces/${spaceId}/posts`, {
          communities_spaces_post: { title: 'Crawling', body: mention(id) },
        })
      ).body.error
    const says = 'Request unprocessable: Body mentions a contact who does not see this'
    expect([await refused(space.id, banned), await refused(space.id, 999_999)]).to.deep.equal([says, says])
    const closed = await make.space((await make.group(communityId)).id, { access: 1 })
    expect(await refused(closed.id, contactId)).to.equal(says)
    await make.join(communityId, contactId, { space_ids: [closed.id] })
    const post = await make.post(closed.id, { body: mention(contactId) })
    expect((await make.comment(post.id, { body: mention(banned) })).body.error).to.equal(says)
    const { body: comment } = await make.comment(post.id, { body: mention(contactId) })
    const written = await tenant.api.put(`${POSTS}/comments/${comment.id}`, {
      communities_spaces_posts_comment: { body: mention(banned) },
    })
    expect(written.body.error).to.equal(says)
  })

  it('15 50: a comment needs a post that is shown, and a parent of the same post', async () => {
    const { space } = await begun()
    const [post, other] = [await make.post(space.id), await make.post(space.id)]
    const { body: elsewhere } = await make.comment(other.id)
    const foreign = await make.comment(post.id, { parent_comment_id: elsewhere.id })
    expect([foreign.status, foreign.body.error]).to.deep.equal([
      422,
      'Request unprocessable: Parent comment must be of the same post',
    ])
    const { body: first } = await make.comment(post.id)
    expect((await make.comment(post.id, { parent_comment_id: first.id })).status).to.equal(201)
    await tenant.api.post(`${POSTS}/comments/${first.id}/decline`)
    expect((await make.comment(post.id, { parent_comment_id: first.id })).status).to.equal(422)
    await tenant.api.post(`${POSTS}/${post.id}/decline`)
    expect((await make.comment(post.id)).status).to.equal(422)
  })

  it('15 49: a deleted comment with replies leaves a place, which goes with the last reply', async () => {
    const { space, contactId } = await begun()
    const post = await make.post(space.id)
    const { body: first } = await make.comment(post.id, { contact_id: contactId })
    const { body: reply } = await make.comment(post.id, { parent_comment_id: first.id })
    expect((await tenant.api.delete(`${POSTS}/comments/${first.id}`)).status).to.equal(204)
    const { body: place } = await get(`${POSTS}/comments/${first.id}`)
    expect([place.body, place.contact_id, place.contact]).to.deep.equal(['', null, null])
    expect((await make.comment(post.id, { parent_comment_id: first.id })).status).to.equal(422)
    const { body: second } = await make.comment(post.id, { parent_comment_id: reply.id })
    const own = `${POSTS}/comments/${reply.id}`
    const changed = await tenant.api.put(own, { communities_spaces_posts_comment: { body: 'Thicker.' } })
    expect(changed.body).to.include({ body: 'Thicker.', parent_comment_id: first.id })
    const like = { communities_spaces_posts_comments_like: { contact_id: contactId } }
    expect((await tenant.api.post(`${own}/likes`, like)).status).to.equal(201)
    expect((await tenant.api.delete(`${POSTS}/comments/${reply.id}`)).status).to.equal(204)
    for (const one of [first, reply]) expect((await get(`${POSTS}/comments/${one.id}`)).body.body).to.equal('')
    expect((await tenant.api.delete(`${POSTS}/comments/${second.id}`)).status).to.equal(204)
    await until(async () => (await get(`${POSTS}/comments/${reply.id}`)).status === 404)
    await until(async () => (await get(`${POSTS}/comments/${first.id}`)).status === 404)
    expect((await get(`${POSTS}/${post.id}/comments`)).body).to.deep.equal([])
  })

  it('15 53: a like that is repeated is the same, and gone once', async () => {
    const { space, contactId } = await begun()
    const post = await make.post(space.id)
    const answers = await Promise.all(Array.from({ length: 20 }, () => make.like(post.id, contactId)))
    expect(new Set(answers.map(({ body }) => body.id)).size).to.equal(1)
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([...Array(19).fill(200), 201])
    const { body: likes } = await get(`${POSTS}/${post.id}/likes`)
    expect(likes).to.have.length(1)
    const path = `${POSTS}/likes/${likes[0].id}`
    expect([(await tenant.api.delete(path)).status, (await tenant.api.delete(path)).status]).to.deep.equal([204, 404])
    expect((await make.like(post.id, contactId)).status).to.equal(201)
  })

  it('likes of comments are one for each contact as well', async () => {
    const { space, contactId } = await begun()
    const { body: comment } = await make.comment((await make.post(space.id)).id)
    const like = () =>
      tenant.api.post(`${POSTS}/comments/${comment.id}/likes`, {
        communities_spaces_posts_comments_like: { contact_id: contactId },
      })
    const [first, second] = [await like(), await like()]
    expect([first.status, second.status, second.body.id]).to.deep.equal([201, 200, first.body.id])
    expect(first.body).to.include({ comment_id: comment.id })
  })

  it('15 72: the provider of a video follows from the host of its address alone', async () => {
    const { space } = await begun()
    const post = await make.post(space.id)
    const embed = async (url: string) =>
      (
        await tenant.api.post(`${POSTS}/${post.id}/video_embeds`, {
          communities_spaces_posts_video_embed: { url, provider: 'loom', data: { width: 640 } },
        })
      ).body
    const first = await embed('https://m.youtube.com/shorts/a1b2?t=3')
    expect(first).to.deep.include({ provider: 'youtube', data: { width: 640 }, workspace_id: tenant.workspaceId })
    expect((await embed('https://player.vimeo.com/video/1')).provider).to.equal('vimeo')
    expect((await embed('https://example.com/?v=youtube.com')).provider).to.equal(null)
    expect((await embed('javascript:alert(1)')).error).to.match(/must be an http or https address/)
  })

  it('15 48: what is in a deleted space is gone at once, through all doors', async () => {
    const { space, contactId } = await begun()
    const doors = await Promise.all(
      Array.from({ length: 25 }, async () => {
        const post = await make.post(space.id)
        const { body: comment } = await make.comment(post.id)
        const { body: like } = await make.like(post.id, contactId)
        return {
          post: `${POSTS}/${post.id}`,
          comment: `${POSTS}/comments/${comment.id}`,
          like: `${POSTS}/likes/${like.id}`,
        }
      }),
    )
    expect((await get(doors[0]!.post)).status).to.equal(200)
    expect((await tenant.api.delete(`/communities/spaces/${space.id}`)).status).to.equal(204)
    const answers = await Promise.all(
      doors.flatMap(({ post, comment, like }) => [
        get(post),
        get(comment),
        get(`${post}/comments`),
        get(`${comment}/likes`),
        tenant.api.post(`${post}/pin`),
        tenant.api.delete(like),
      ]),
    )
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([404]))
  })

  it('15 55: a deleted author leaves posts and likes without a contact', async () => {
    const { space, contactId } = await begun()
    const post = await make.post(space.id, { contact_id: contactId })
    await make.like(post.id, contactId)
    await tenant.api.delete(`/contacts/${contactId}`)
    expect((await get(`${POSTS}/${post.id}`)).body.contact).to.equal(null)
    expect((await get(`${POSTS}/${post.id}/likes`)).body[0].contact).to.equal(null)
    expect((await get(`/communities/spaces/${space.id}/posts`)).body[0].contact).to.equal(null)
  })

  it('members get into spaces that are added to a group which says so', async () => {
    const { communityId, contactId } = await begun()
    const group = await make.group(communityId, { auto_add_to_spaces: true })
    const first = await make.space(group.id)
    const { body: member } = await make.join(communityId, contactId, { space_ids: [first.id] })
    const { body: outside } = await make.join(communityId, (await make.contact('grace')).id)
    const added = await make.space(group.id)
    const spaces = async (id: number) => (await get(`/communities/memberships/${id}`)).body.space_ids
    await until(async () => (await spaces(member.id)).length === 2)
    expect(await spaces(member.id)).to.deep.equal([first.id, added.id])
    expect(await spaces(outside.id)).to.deep.equal([])
  })

  it('let a reply stand by itself whose comment is deleted at the same moment', async () => {
    const { id: communityId } = await make.community()
    const space = await make.space((await make.group(communityId)).id)
    const post = await make.post(space.id, { title: 'Glazes' })
    const path = `/communities/spaces/posts/${post.id}/comments`
    for (let n = 0; n < 12; n++) {
      const { body: comment } = await make.comment(post.id, { body: '<p>First</p>' })
      const reply = { body: '<p>Reply</p>', parent_comment_id: comment.id }
      await Promise.all([
        tenant.api.delete(`/communities/spaces/posts/comments/${comment.id}`),
        tenant.api.post(path, { communities_spaces_posts_comment: reply }),
      ])
    }
    await waitUntilSettled(service)
    const comments: { id: number; parent_comment_id: number | null }[] = []
    for (let after = 0; ; after = comments.at(-1)!.id) {
      const page = ok(await tenant.api.get(`${path}?after=${after}`))
      comments.push(...page)
      if (page.length < 20) break
    }
    const ids = comments.map(({ id }) => id)
    const dangling = comments.filter(({ parent_comment_id: id }) => id !== null && !ids.includes(id))
    expect(dangling).to.deep.equal([])
  })
})
