import { expect } from 'chai'
import { SaxesParser } from 'saxes'
import { askHost } from '../../support/hosts.ts'
import { signedIn } from '../../support/member.ts'
import { domainMaker } from '../../support/records/domain.ts'
import { testService } from '../../support/service.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { type HostedSite, hostedSite, saying } from '../pages-host/support.ts'
import { blogOf, HOUR } from './support.ts'

const BODY = '<section><row><column><paragraph>Hot</paragraph><link href="/kiln">kiln</link></column></row></section>'

/** Texts of elements of an XML document, which must be well-formed. */
const textsIn = (xml: string, name: string): readonly string[] => {
  const found: string[] = []
  const open: string[] = []
  const parser = new SaxesParser()
  parser.on('opentag', (tag) => {
    open.push(tag.name)
    if (tag.name === name) found.push('')
  })
  parser.on('text', (text) => {
    if (open.at(-1) === name) found.push((found.pop() ?? '') + text)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
  return found
}

describe('the public side of blogs', () => {
  let site: HostedSite
  let blog: Awaited<ReturnType<typeof blogOf>>
  before(testService)
  beforeEach(async () => {
    const service = await testService()
    site = await hostedSite(service, await service.tenant({ test: true }))
    blog = await blogOf(site.tenant)
  })

  const statusOf = async (path: string) => (await site.get(encodeURI(path))).status
  const feed = async () => (await site.get('/blog/feed')).text
  const listed = async () =>
    [...(await site.get('/blog')).text.matchAll(/<h2 class="text"><a href="([^"]*)"/g)].map(([, path]) => path)
  const mapped = async () => textsIn((await site.get('/sitemap.xml')).text, 'loc')

  it('show a post with its body, its parts and its address, and lists of it', async () => {
    const author = await blog.part('author', { first_name: 'Ada', email_address: 'ada@example.com' })
    const tag = await blog.part('tag', { name: 'raku' })
    const category = await blog.part('category', { name: 'Kilns' })
    const post = await blog.posted({
      title: 'Fire & <b>clay</b>',
      visibility: 'public',
      markup: BODY,
      excerpt_content: 'How it burns',
      author_ids: [author.id],
      tag_ids: [tag.id],
      category_ids: [category.id],
    })
    const { text, status, headers } = await site.get(post.current_path)
    expect([status, headers['x-robots-tag']]).to.deep.equal([200, undefined])
    for (const part of [
      '<h1 class="text">Fire &amp; &lt;b&gt;clay&lt;/b&gt;</h1>',
      '>Hot</p><a href="/kiln">kiln</a>',
      `<link rel="canonical" href="${post.url}">`,
      `<meta property="og:url" content="${post.url}">`,
      '<meta name="description" content="How it burns">',
      '<a href="/blog/tag/raku">raku</a>',
      '<a href="/blog/category/kilns">Kilns</a>',
      '<a href="/blog/author/ada">Ada</a>',
    ])
      expect(text).to.include(part)
    expect(text.match(/<h1/g)).to.have.length(1)
    for (const path of ['/blog', '/blog/tag/raku', '/blog/category/kilns', '/blog/author/ada']) {
      const page = await site.get(path)
      expect([path, page.status]).to.deep.equal([path, 200])
      expect(page.text).to.include(`href="${post.current_path}"`).and.to.include('How it burns')
    }
    expect(await statusOf('/blog/tag/none')).to.equal(404)
    expect(await mapped()).to.include.members([`http://${site.host}/blog`, `http://${site.host}${post.current_path}`])
    for (const address of ['/blog', post.current_path, '/blog/feed', '/blog/author/ada'])
      expect((await site.get(address)).text, '15 81').not.to.include('ada@example.com')
  })

  it('show posts in the page that the theme has for them, with its code', async () => {
    const { api, workspaceId } = site.tenant
    const [theme] = createdBody(await api.get(`/workspaces/${workspaceId}/themes`))
    const template = await site.standalone('/template', { markup: saying('The kiln'), custom_css: '.x{color:red}' })
    const template_pages = { blogs_post_template_page: template.public_id }
    const post = await blog.posted({ title: 'Fire', visibility: 'public', markup: saying('Hot') })
    expect((await site.get(post.current_path)).text).not.to.include('The kiln')
    createdBody(await api.put(`/themes/${theme.id}`, { theme: { template_pages } }))
    const { text } = await site.get(post.current_path)
    expect(text).to.match(/The kiln[\s\S]*<h1 class="text">Fire<\/h1>[\s\S]*Hot/)
    expect(text).to.include('.x{color:red}')
    expect(text.match(/<h1/g)).to.have.length(1)
  })

  it('15 73: a draft, and a post that is not due, is 404 on its exact address, and nowhere else', async () => {
    const draft = await blog.posted({ title: 'Draft', markup: BODY })
    const published_at = await blog.ahead(HOUR)
    const scheduled = await blog.posted({ title: 'Scheduled', visibility: 'scheduled', published_at })
    const future = await blog.posted({ title: 'Future', visibility: 'public', published_at })
    for (const { current_path } of [draft, scheduled, future]) expect(await statusOf(current_path)).to.equal(404)
    expect(await listed()).to.deep.equal([])
    expect(textsIn(await feed(), 'title')).to.deep.equal(['Primary Blog'])
    expect(await mapped()).to.deep.equal([])
  })

  it('15 73: a draft is previewed by a signed link alone, on the host of its site', async () => {
    const post = await blog.posted({ title: 'Draft', visibility: 'members_only', markup: saying('Cobalt') })
    await blog.changed(post.id, { visibility: 'draft' })
    const { url } = createdBody(await site.tenant.api.get(`/blogs/posts/${post.id}/preview`))
    const { host, pathname, search } = new URL(url)
    expect(host.split(':')[0]).to.equal(site.host)
    const { status, text, headers } = await site.get(pathname + search)
    expect(status).to.equal(200)
    expect(text).to.include('Cobalt').and.to.include('noindex')
    expect(headers['cache-control']).to.equal('private, no-store')
    const other = await blog.posted({ title: 'Other' })
    for (const [path, refused] of [
      [pathname, 403],
      [`${pathname}${search}0`, 403],
      [pathname.replace(String(post.id), String(other.id)) + search, 403],
    ] as const)
      expect([path, (await site.get(path)).status]).to.deep.equal([path, refused])
    const foreign = await hostedSite(site.service)
    expect((await foreign.get(pathname + search)).status).to.equal(404)
    await site.tenant.api.delete(`/blogs/posts/${post.id}`)
    expect((await site.get(pathname + search)).status).to.equal(404)
  })

  it('15 26: cached lists, feed and sitemap end with the next due instant', async () => {
    await blog.posted({ title: 'First', visibility: 'public' })
    await blog.posted({ title: 'Due', visibility: 'scheduled', published_at: await blog.ahead(HOUR) })
    for (let times = 0; times < 2; times++) expect(await listed()).to.deep.equal(['/blog/first'])
    expect([textsIn(await feed(), 'title').length, (await mapped()).length]).to.deep.equal([2, 2])
    const before = await site.get('/blog/feed')
    await blog.advance(2 * HOUR)
    expect(await statusOf('/blog/due')).to.equal(200)
    expect(await listed()).to.deep.equal(['/blog/due', '/blog/first'])
    expect(textsIn(await feed(), 'title')).to.deep.equal(['Primary Blog', 'Due', 'First'])
    expect(await mapped()).to.have.length(3)
    const again = await site.get('/blog/feed', { headers: { 'if-none-match': before.headers.etag! } })
    expect(again.status).to.equal(200)
  })

  it('15 74: of a post for members nothing is shown but its title and its written excerpt', async () => {
    const tag = await blog.part('tag', { name: 'raku' })
    const author = await blog.part('author', { first_name: 'Ada' })
    const post = await blog.posted({
      title: 'Secret glaze',
      visibility: 'members_only',
      markup: saying('Cobalt'),
      seo_title: 'About Cobalt',
      seo_description: 'It is Cobalt',
      tag_ids: [tag.id],
      author_ids: [author.id],
    })
    const excerpted = await blog.posted({
      title: 'Other glaze',
      visibility: 'members_only',
      markup: saying('Cobalt'),
      excerpt_content: 'Blue, we can say',
      tag_ids: [tag.id],
    })
    const lists = ['/blog', '/blog/feed', '/blog/tag/raku', '/blog/author/ada', '/sitemap.xml']
    for (const path of [post.current_path, excerpted.current_path, ...lists]) {
      const { status, text } = await site.get(path)
      expect([path, status]).to.deep.equal([path, 200])
      expect(text, path).not.to.include('Cobalt')
    }
    const { text } = await site.get(excerpted.current_path)
    expect(text).to.include('<meta name="description" content="Blue, we can say">').and.to.include('for members')
    expect((await site.get(post.current_path)).text).not.to.include('name="description"')
    expect(textsIn(await feed(), 'summary')).to.deep.equal(['Blue, we can say'])
    expect(textsIn(await feed(), 'content')).to.deep.equal([])
  })

  it('a post for members is read by contacts who are signed in, whom its page leads to sign-in and back', async () => {
    const post = await blog.posted({ title: 'Secret glaze', visibility: 'members_only', markup: saying('Cobalt') })
    const { text: closed, headers: ofStrangers } = await site.get(post.current_path)
    const [, link = ''] = /href="([^"]*sign-in[^"]*)"/.exec(closed) ?? []
    expect(link).to.equal(`/members/sign-in?to=${encodeURIComponent(post.current_path)}`)
    await blog.member('ada@clay.example')
    const { get } = await signedIn(site.service, site.tenant, 'ada@clay.example')
    expect((await get(link)).headers.location).to.equal(post.current_path)
    const open = await get(post.current_path)
    expect([open.status, open.headers['cache-control']]).to.deep.equal([200, 'private, no-store'])
    expect(open.text).to.include('Cobalt').and.not.to.include('sign-in')
    expect(open.headers.etag).not.to.equal(ofStrangers.etag)
    expect((await get(`${post.current_path.toUpperCase()}`)).headers.location).to.equal(post.current_path)
    for (const path of [post.current_path, '/blog', '/blog/feed'])
      expect((await site.get(path)).text, path).not.to.include('Cobalt')
    const foreign = await site.get(post.current_path, { headers: { cookie: `mr_member=1.${'a'.repeat(43)}` } })
    expect(foreign.text).not.to.include('Cobalt')
    await blog.changed(post.id, { visibility: 'draft' })
    expect((await get(post.current_path)).status).to.equal(404)
  })

  it('15 81: neither pages nor the feed show the address of an author', async () => {
    const named = await blog.part('author', { first_name: 'Ada', email_address: 'ada@clay.example' })
    const nameless = await blog.part('author', { email_address: 'grace@clay.example' })
    const author_ids = [named.id, nameless.id]
    const post = await blog.posted({ title: 'Fire', visibility: 'public', markup: BODY, author_ids })
    for (const path of [post.current_path, '/blog', '/blog/feed', '/blog/author/ada', '/sitemap.xml']) {
      const { status, text } = await site.get(path)
      expect([path, status]).to.deep.equal([path, 200])
      expect(text, path).not.to.include('clay.example').and.not.to.match(/grace/i)
    }
    expect((await site.get(post.current_path)).text).to.include('<a href="/blog/author/ada">Ada</a>')
  })

  it('15 85: the map has what answers strangers with 200, is indexed and is its own address, with the time of its text', async () => {
    const post = await blog.posted({ title: 'Öfen', visibility: 'public', markup: BODY })
    const forMembers = await blog.posted({ title: 'Glaze', visibility: 'members_only', markup: BODY })
    const away = await blog.posted({ title: 'Away', visibility: 'public' })
    await blog.changed(away.id, { visibility: 'draft' })
    await blog.posted({ title: 'Later', visibility: 'scheduled', published_at: await blog.ahead(HOUR) })
    await blog.changed(post.id, { seo_title: 'Kilns' })
    const { text } = await site.get('/sitemap.xml')
    const own = `http://${site.host}`
    expect(await mapped()).to.have.members([`${own}/blog`, post.url, forMembers.url])
    for (const address of await mapped()) {
      const { status, text: page, headers } = await site.get(new URL(address).pathname)
      expect([address, status, headers['x-robots-tag']]).to.deep.equal([address, 200, undefined])
      expect(page).to.include(`<link rel="canonical" href="${address}">`).and.not.to.include('noindex')
    }
    expect(textsIn(text, 'lastmod')).to.have.members([post, forMembers].map(({ created_at: at }) => at))
  })

  it('15 78: the feed is Atom, also without posts; its ids survive other names and paths', async () => {
    const empty = await feed()
    expect(textsIn(empty, 'updated')).to.deep.equal([blog.blog.created_at])
    const post = await blog.posted({ title: 'Fire', visibility: 'public', markup: BODY })
    const idsOf = async () => textsIn(await feed(), 'id')
    const first = await idsOf()
    expect(first).to.have.length(2)
    expect(first[0]).to.equal(textsIn(empty, 'id')[0])
    for (const id of first)
      expect(id).to.match(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    createdBody(await site.tenant.api.put(blog.own, { blog: { name: 'Kiln' } }))
    await blog.changed(post.id, { title: 'Smoke' })
    expect(await idsOf()).to.deep.equal(first)
    await site.tenant.api.delete(`/blogs/posts/${post.id}`)
    await blog.posted({ title: 'Fire', visibility: 'public' })
    expect((await idsOf())[1]).not.to.equal(first[1])
    const { headers, text } = await site.get('/blog/feed')
    expect(headers['content-type']).to.equal('application/atom+xml; charset=utf-8')
    expect(text).to.include(`<link rel="self" type="application/atom+xml" href="http://${site.host}/blog/feed"/>`)
    for (const at of [...textsIn(text, 'updated'), ...textsIn(text, 'published')])
      expect(at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('15 79: the newest visibility comes first; the time of an entry moves only with its text', async () => {
    const old = await blog.posted({ title: 'Old draft', markup: BODY })
    await blog.posted({ title: 'Public', visibility: 'public' })
    await blog.changed(old.id, { visibility: 'public' })
    expect(textsIn(await feed(), 'title')).to.deep.equal(['Primary Blog', 'Old draft', 'Public'])
    const before = await site.get('/blog/feed')
    const known = () => site.get('/blog/feed', { headers: { 'if-none-match': before.headers.etag! } })
    await blog.changed(old.id, { seo_title: 'Found' })
    expect((await known()).status).to.equal(304)
    await blog.changed(old.id, { excerpt_content: 'Anew' })
    expect((await known()).status).to.equal(200)
    const [, , changed] = textsIn(await feed(), 'updated')
    expect(textsIn(await feed(), 'updated')[1]! > textsIn(before.text, 'updated')[1]!).to.equal(true)
    expect(changed).to.equal(textsIn(before.text, 'updated')[2])
  })

  it('15 28: posts are ordered by instants, whatever the offset of their dates', async () => {
    const published_at = ['2026-03-28T20:39:00+09:00', '2026-03-28T11:40:00Z', '2026-03-28T06:38:00-05:00']
    for (const [n, at] of published_at.entries())
      await blog.posted({ title: `Post ${n}`, visibility: 'public', published_at: at })
    expect(textsIn(await feed(), 'title')).to.deep.equal(['Primary Blog', 'Post 1', 'Post 0', 'Post 2'])
    expect(textsIn(await feed(), 'published')[1]).to.equal('2026-03-28T11:39:00.000Z')
  })

  it('15 76: a post that became public without a date is dated by that moment', async () => {
    const post = await blog.posted({ title: 'Fire' })
    await blog.advance(400 * 24 * HOUR)
    const now = await blog.now()
    await blog.changed(post.id, { visibility: 'public' })
    const [published] = textsIn(await feed(), 'published')
    expect(published! >= now).to.equal(true)
    expect((await site.get(post.current_path)).text).to.include(`<time datetime="${published}">`)
  })

  it('15 80: texts have no characters that XML has not, and what they name is absolute', async () => {
    const title = 'A\u0001B\u000bC\u001fD\ufffeE'
    const post = await blog.posted({ title, visibility: 'public', markup: BODY, excerpt_content: 'x\u0008y' })
    const text = await feed()
    expect(textsIn(text, 'title')[1]).to.equal('ABCDE')
    expect(textsIn(text, 'summary')).to.deep.equal(['xy'])
    expect(textsIn(text, 'content')).to.deep.equal([`<p>Hot</p><a href="http://${site.host}/kiln">kiln</a>`])
    expect(await statusOf(post.current_path)).to.equal(200)
  })

  it('15 83: a page has one address; every other spelling of it leads there', async () => {
    const post = await blog.posted({ title: 'Café', visibility: 'public', markup: BODY })
    const own = '/blog/caf%C3%A9'
    expect(new URL(post.url).pathname).to.equal(own)
    expect(await statusOf(post.current_path)).to.equal(200)
    for (const path of ['/blog/caf%c3%a9', '/blog/cafe%CC%81', '/Blog/Caf%C3%89', `${own}/`, '/blog/c%61f%C3%A9']) {
      const { status, headers } = await site.get(`${path}?a=1`)
      expect([path, status, headers.location]).to.deep.equal([path, 301, `${own}?a=1`])
    }
    const { text } = await site.get(own)
    expect(text).to.include(`<link rel="canonical" href="${post.url}">`)
    expect(await feed()).to.include(`href="${post.url}"`)
    expect(await mapped()).to.include(post.url)
    for (const [path, to] of [
      ['/blog/', '/blog'],
      ['/BLOG/feed', '/blog/feed'],
    ]) {
      const { status, headers } = await site.get(path!)
      expect([status, headers.location]).to.deep.equal([301, to])
    }
  })

  it('15 83: is served on every connected host, whose canonical address is at the main one, as is the map', async () => {
    const id = await domainMaker.make(site.tenant)
    createdBody(await site.tenant.api.post(`/domains/${id}/verify`))
    const { name } = createdBody(await site.tenant.api.get(`/domains/${id}`))
    const post = await blog.posted({ title: 'Fire', visibility: 'public' })
    const there = (path: string) => askHost(site.service.publicUrl, name, path)
    for (const path of ['/blog', '/blog/feed', post.current_path])
      for (const host of [name, site.host]) {
        const { status, text } = await askHost(site.service.publicUrl, host, `${path}?a=1`)
        expect([host, path, status]).to.deep.equal([host, path, 200])
        expect(text).to.include(`https://${name}${path}`).and.not.to.include(site.host)
      }
    expect((await there('/sitemap.xml')).text).to.include(`<loc>https://${name}/blog</loc>`)
    expect((await site.get('/sitemap.xml')).text).not.to.include('/blog')
    expect((await there('/blog/none')).status).to.equal(404)
  })

  it('go on behind a post, so that nothing comes twice', async () => {
    const titles = Array.from({ length: 23 }, (_, index) => `Post ${index}`)
    for (const title of titles) await blog.posted({ title, visibility: 'public' })
    const seen: string[] = []
    let path: string | undefined = '/blog'
    while (path !== undefined) {
      const { status, text }: { status: number; text: string } = await site.get(path)
      expect([path, status]).to.deep.equal([path, 200])
      seen.push(...[...text.matchAll(/<h2 class="text"><a[^>]*>([^<]*)/g)].map(([, title]) => title!))
      if (seen.length === 10) await blog.posted({ title: 'Late', visibility: 'public' })
      path = /<a href="([^"]*)" rel="next">/.exec(text)?.[1]
    }
    expect(seen).to.deep.equal([...titles].reverse())
    expect(await statusOf('/blog/page/999999')).to.equal(404)
  })

  it('leave pages at their addresses where they stood before', async () => {
    await site.standalone('/blog', { markup: saying('My own blog') })
    expect((await site.get('/blog')).text).to.include('My own blog')
  })
})
