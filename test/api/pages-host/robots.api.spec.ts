import { expect } from 'chai'
import { testService } from '../../support/service.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { type HostedSite, hostedSite, saying } from './support.ts'

/** Groups of a robots file, as a crawler reads them: agents with their rules. */
const groupsIn = (text: string): Map<string, string[]> => {
  const groups = new Map<string, string[]>()
  for (const group of text.split('\n\n')) {
    const lines = group.split('\n').filter((line) => line !== '')
    const rules = lines.filter((line) => /^(?:Dis)?allow:/i.test(line))
    for (const line of lines) if (line.startsWith('User-agent: ')) groups.set(line.slice(12), rules)
  }
  return groups
}

describe('what crawlers are told of hosted pages', () => {
  let site: HostedSite
  before(async () => {
    site = await hostedSite(await testService())
  })
  const goLive = (id: number, live_mode: boolean) =>
    site.tenant.api.put(`/funnels/${id}`, { funnel: { live_mode } }).then(createdBody)

  it('26: is by the page itself that it must not be indexed, and never by forbidding to fetch it', async () => {
    await site.standalone('/hidden', { markup: saying('Hidden') })
    await site.standalone('/shown', { markup: saying('Shown'), seo_index: true })
    const [hidden, shown] = [await site.get('/hidden'), await site.get('/shown')]
    expect(hidden.text).to.include('<meta name="robots" content="noindex">')
    expect(hidden.headers['x-robots-tag']).to.equal('noindex')
    expect(shown.text).not.to.include('noindex')
    expect(shown.headers['x-robots-tag']).to.equal(undefined)
    expect((await site.get('/robots.txt')).text).not.to.include('/hidden')
  })

  it('27: are rules for the agents of each setting, each agent in one group', async () => {
    const funnel = await site.funnel('Blocked')
    const root = await site.tenant.api.post(`/workspaces/${site.tenant.workspaceId}/funnels`, {
      funnel: { name: 'Root', current_path: '/' },
    })
    await site.step(funnel.id, '/a', { block_ai_crawler: true, block_ai_search: true })
    await site.step(funnel.id, '/b$c', { block_ai_assistant: true })
    await site.step(createdBody(root).id, '/', { block_ai_search: true })
    await site.standalone('/landing', { block_ai_crawler: true })
    const { text, headers } = await site.get('/robots.txt')
    expect(headers['content-type']).to.equal('text/plain; charset=utf-8')
    const crawler = ['Disallow: /blocked/a$', 'Disallow: /blocked/a?']
    const search = [...crawler, 'Disallow: /$', 'Disallow: /?']
    const assistant = ['Disallow: /blocked/b%24c$', 'Disallow: /blocked/b%24c?']
    expect(Object.fromEntries(groupsIn(text))).to.deep.equal({
      GPTBot: crawler,
      ClaudeBot: crawler,
      'Google-Extended': crawler,
      'OAI-SearchBot': search,
      PerplexityBot: search,
      'ChatGPT-User': assistant,
      'Claude-User': assistant,
      '*': ['Disallow:'],
    })
    expect(text).to.include(`Sitemap: http://${site.host}/sitemap.xml`)
  })

  it('28: is a map of the addresses that answer and may be indexed', async () => {
    const own = await hostedSite(site.service)
    const live = await own.funnel('Live')
    const test = await own.funnel('Test')
    const fields = { markup: saying('Page'), seo_index: true }
    await own.standalone('/a&b', fields)
    await own.standalone('/not', {})
    await own.external({ funnel: { funnel_id: live.id } })
    await own.step(live.id, '/step', fields)
    const tested = await own.step(test.id, '/step', fields)
    createdBody(await own.tenant.api.put(`/funnels/${live.id}`, { funnel: { live_mode: true } }))
    const { text, headers } = await own.get('/sitemap.xml')
    expect(headers['content-type']).to.equal('application/xml; charset=utf-8')
    const located = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address)
    expect(located).to.have.members([`http://${own.host}/a&amp;b`, `http://${own.host}/live/step`])
    for (const address of located)
      expect((await own.get(new URL(address!.replace('&amp;', '&')).pathname)).status).to.equal(200)
    const { headers: ofTest } = await own.get(new URL(tested.url).pathname)
    expect(ofTest['x-robots-tag']).to.equal('noindex')
  })

  it('11: follows the funnels and pages at once', async () => {
    const funnel = await site.funnel('Switch')
    const { id } = await site.step(funnel.id, '/x', { markup: saying('X'), seo_index: true })
    const listed = async () => (await site.get('/sitemap.xml')).text.includes('/switch/x')
    expect(await listed()).to.equal(false)
    await goLive(funnel.id, true)
    expect(await listed()).to.equal(true)
    createdBody(await site.tenant.api.put(`/pages/${id}`, { page: { seo_index: false } }))
    expect(await listed()).to.equal(false)
  })
})
