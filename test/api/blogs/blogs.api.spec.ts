import { expect } from 'chai'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { blogOf, HOUR } from './support.ts'

const BODY = '<section><row><column><paragraph>Hot</paragraph></column></row></section>'

describe('blogs over REST', () => {
  let service: TestService
  let tenant: Tenant
  let api: Tenant['api']
  let blog: Awaited<ReturnType<typeof blogOf>>
  before(async () => {
    service = await testService()
  })
  beforeEach(async () => {
    tenant = await service.tenant({ test: true })
    api = tenant.api
    blog = await blogOf(tenant)
  })

  it('begin with their site, and take names, words for search engines and a theme that has a page for posts', async () => {
    const { id, url, ...begun } = blog.blog
    expect(begun).to.include({
      name: 'Primary Blog',
      current_path: '/blog',
      site_id: tenant.workspaceId,
      workspace_id: tenant.workspaceId,
      theme_id: null,
      resolved_template_page_id: null,
      resolved_post_template_page_id: null,
      resolved_category_template_page_id: null,
    })
    expect(begun.style_id).to.be.a('number')
    expect(url).to.match(/^http:\/\/[\w-]+\.localhost(:\d+)?\/blog$/)
    const workspace = `/workspaces/${tenant.workspaceId}`
    const [theme] = createdBody(await api.get(`${workspace}/themes`))
    const taken = (theme_id: number) => api.put(`/blogs/${id}`, { blog: { theme_id } })
    const refused = await taken(theme.id)
    expect([refused.status, refused.body.error]).to.deep.equal([
      422,
      'Request unprocessable: Theme has no page for blog posts',
    ])
    const page = createdBody(await api.post(`${workspace}/pages`, { page: { name: 'Post' } }))
    const template_pages = { blogs_post_template_page: page.public_id, blog_template_page: page.public_id }
    createdBody(await api.put(`/themes/${theme.id}`, { theme: { template_pages } }))
    createdBody(await taken(theme.id))
    const changed = createdBody(await api.put(`/blogs/${id}`, { blog: { name: 'Kiln', seo_title: 'Clay' } }))
    expect(changed).to.include({
      name: 'Kiln',
      seo_title: 'Clay',
      theme_id: theme.id,
      resolved_template_page_id: page.id,
      resolved_post_template_page_id: page.id,
      resolved_category_template_page_id: page.id,
    })
    const blank = await api.put(`/blogs/${id}`, { blog: { name: ' ' } })
    expect([blank.status, blank.body.error]).to.deep.equal([422, "Request unprocessable: Name can't be blank"])
  })

  it('have authors, categories and tags, which posts show by their names', async () => {
    const author = await blog.part('author', { first_name: 'Ada', email_address: 'ada@example.com' })
    expect(author).to.include({ full_name: 'Ada', display_name: 'Ada', last_name: null, image_url: null })
    const category = await blog.part('category', { name: 'Über Öfen' })
    expect(category).to.include({ current_path: '/blog/category/über-öfen' })
    expect(category.url).to.match(/\/blog\/category\/%C3%BCber-%C3%B6fen$/)
    const tag = await blog.part('tag', { name: 'raku' })
    const again = await api.post(`${blog.own}/tags`, { blogs_tag: { name: 'RAKU' } })
    expect([again.status, again.body.error]).to.deep.equal([422, 'Request unprocessable: Name has already been taken'])
    const post = await blog.posted({
      title: 'Fire',
      author_ids: [author.id],
      category_ids: [category.public_id],
      tag_ids: [tag.id],
    })
    expect(post).to.deep.include({
      visibility: 'draft',
      published_at: null,
      current_path: '/blog/fire',
      authors: [{ first_name: 'Ada', last_name: '', email_address: 'ada@example.com' }],
      categories: [{ name: 'Über Öfen' }],
      tags: [{ name: 'raku' }],
    })
    expect(post).not.to.have.property('markup')
    expect((await api.delete(`/blogs/categories/${category.id}`)).status).to.equal(204)
    await service.caughtUp()
    while ((await blog.read(post.id)).categories.length > 0) await service.caughtUp()
    expect((await blog.tried({ title: 'Smoke', tag_ids: [999_999] })).status).to.equal(422)
  })

  it('have posts whose markup is a text, also where there is none', async () => {
    const post = await blog.posted({ title: 'Bare', markup: null })
    expect((await blog.read(post.id)).markup).to.equal('')
  })

  it('have posts whose markup replaces the whole body; what is no markup changes nothing', async () => {
    const post = await blog.posted({ title: 'Fire', markup: BODY })
    expect((await blog.read(post.id)).markup).to.equal(BODY)
    for (const markup of ['<section><row>', 'Just text', '<section><marquee/></section>']) {
      const refused = await api.put(`/blogs/posts/${post.id}`, { blogs_post: { title: 'Smoke', markup } })
      expect(refused.status, markup).to.equal(400)
      expect(refused.body.error).to.match(/^Bad request: Invalid markup: /)
      expect((await blog.tried({ title: 'Ash', markup })).status).to.equal(400)
    }
    expect(await blog.read(post.id)).to.include({ title: 'Fire', markup: BODY })
    expect(createdBody(await api.get(`${blog.own}/posts`))).to.have.length(1)
    await blog.changed(post.id, { title: 'Smoke' })
    expect(await blog.read(post.id)).to.include({ title: 'Smoke', markup: BODY, current_path: '/blog/fire' })
    await blog.changed(post.id, { markup: '' })
    expect((await blog.read(post.id)).markup).to.equal('')
    const blank = await blog.tried({ title: ' ' })
    expect([blank.status, blank.body.error]).to.deep.equal([422, "Request unprocessable: Title can't be blank"])
    expect((await blog.tried({ title: 'Ash', visibility: 'published' })).status).to.equal(422)
    expect((await api.delete(`/blogs/posts/${post.id}`)).status).to.equal(204)
    expect((await api.get(`/blogs/posts/${post.id}`)).status).to.equal(404)
    expect((await blog.posted({ title: 'Fire' })).current_path).to.equal('/blog/fire')
  })

  it('15 82: paths keep letters, marks and digits of any script, and never are an address of the blog itself', async () => {
    for (const [title, path] of [
      ['Summer Sale — 2026!', /^\/blog\/summer-sale-2026$/],
      ['Cafe\u0301 ÉCLAIR', /^\/blog\/café-éclair$/],
      ['हिन्दी', /^\/blog\/हिन्दी$/],
      ['!!!', /^\/blog\/post-\d+$/],
      ['Feed', /^\/blog\/feed-\w{6}$/],
      ['Tag', /^\/blog\/tag-\w{6}$/],
      ['Page', /^\/blog\/page-\w{6}$/],
      ['𝒳'.repeat(120), /^\/blog\/(?:𝒳){100}$/u],
    ] as const)
      expect((await blog.posted({ title })).current_path).to.match(path)
    expect((await blog.posted({ title: '!!!' })).current_path).to.match(/^\/blog\/post-\d+$/)
    expect((await blog.posted({ title: 'Summer sale 2026' })).current_path).to.match(/^\/blog\/summer-sale-2026-\w{6}$/)
  })

  it('15 75: a scheduled post needs a time to come, and reads as public once that is there', async () => {
    const without = await blog.tried({ title: 'Fire', visibility: 'scheduled' })
    expect([without.status, without.body.error]).to.deep.equal([
      422,
      "Request unprocessable: Published at can't be blank for a scheduled post",
    ])
    const past = await blog.tried({ title: 'Fire', visibility: 'scheduled', published_at: await blog.ahead(-1000) })
    expect([past.status, past.body.error]).to.deep.equal([
      422,
      'Request unprocessable: Published at must be in the future for a scheduled post',
    ])
    const published_at = await blog.ahead(HOUR)
    const post = await blog.posted({ title: 'Fire', visibility: 'scheduled', published_at })
    expect(post).to.include({ visibility: 'scheduled', published_at })
    await blog.advance(2 * HOUR)
    expect(await blog.read(post.id)).to.include({ visibility: 'public', published_at })
    const asOf = async (ms: number) => {
      const at = new Date(Date.parse(published_at) + ms).toISOString()
      return createdBody(await api.get(`/blogs/posts/${post.id}?as_of=${at}`)).visibility
    }
    expect([await asOf(-1000), await asOf(1000)]).to.deep.equal(['scheduled', 'public'])
  })

  it('15 76: a post that is created as public is dated now, and one that becomes public later is not', async () => {
    const now = await blog.now()
    const post = await blog.posted({ title: 'Fire', visibility: 'public' })
    expect(post.published_at >= now && post.published_at <= (await blog.now())).to.equal(true)
    const draft = await blog.posted({ title: 'Smoke' })
    expect(await blog.changed(draft.id, { visibility: 'public' })).to.include({
      visibility: 'public',
      published_at: null,
    })
  })

  it('15 28: a date with an offset is due at that instant', async () => {
    const post = await blog.posted({
      title: 'Fire',
      visibility: 'scheduled',
      published_at: '2126-03-28T20:39:00+09:00',
    })
    expect(post.published_at).to.equal('2126-03-28T11:39:00.000Z')
  })

  it('15 77: is published at each passage from not visible to visible, once; other changes are updates', async () => {
    await blog.subscribe()
    const post = await blog.posted({ title: 'Fire' })
    await blog.changed(post.id, { title: 'Smoke' })
    await blog.changed(post.id, { visibility: 'public' })
    await blog.changed(post.id, { title: 'Ash', published_at: await blog.ahead(-HOUR) })
    await blog.changed(post.id, { visibility: 'members_only' })
    await blog.changed(post.id, { visibility: 'draft' })
    await blog.changed(post.id, { visibility: 'public' })
    const created = 'blogs/post.created'
    const [updated, published] = ['blogs/post.updated', 'blogs/post.published']
    const expected = [created, updated, updated, published, updated, updated, updated, updated, published]
    while ((await blog.events(post.id)).length < expected.length) await service.caughtUp()
    expect([...(await blog.events(post.id))].sort()).to.deep.equal([...expected].sort())
  })

  it('15 25: a schedule that is moved does nothing at its former time, and one that is published by hand nothing more', async () => {
    await blog.subscribe()
    const moved = await blog.posted({ title: 'Fire', visibility: 'scheduled', published_at: await blog.ahead(HOUR) })
    await blog.changed(moved.id, { published_at: await blog.ahead(3 * HOUR) })
    const byHand = await blog.posted({ title: 'Smoke', visibility: 'scheduled', published_at: await blog.ahead(HOUR) })
    await blog.changed(byHand.id, { visibility: 'public', published_at: await blog.ahead(-1000) })
    await blog.advance(2 * HOUR)
    expect((await blog.read(moved.id)).visibility).to.equal('scheduled')
    const published = async (id: number) => (await blog.events(id)).filter((type) => type === 'blogs/post.published')
    expect(await published(moved.id)).to.have.length(0)
    await blog.advance(2 * HOUR)
    while ((await published(moved.id)).length === 0) await service.caughtUp()
    expect([await published(moved.id), await published(byHand.id)].map(({ length }) => length)).to.deep.equal([1, 1])
  })
})
