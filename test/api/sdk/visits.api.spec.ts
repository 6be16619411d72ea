import { expect } from 'chai'
import { parseStream } from '../../../domain/kernel/values/stream-name.ts'
import { callOf, random, type SdkFunnel, sdkFunnel, standalonePage, viewed, visit } from '../../support/sdk-pages.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

describe('POST /visits of a page', () => {
  let service: TestService
  let tenant: Tenant
  let funnel: SdkFunnel
  let call: ReturnType<typeof callOf>

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    funnel = await sdkFunnel(tenant, ['https://land.example/a', 'https://pay.example/b'])
    call = callOf(service)
  })

  const [first, second] = [() => funnel.pages[0]!, () => funnel.pages[1]!]

  /** Events of the sessions of this tenant after a position. */
  const eventsAfter = async (after: number) => {
    const found = []
    for await (const event of service.background.stores.log.readAll({ after }))
      if (event.metadata.workspace_id === tenant.workspaceId && event.stream.startsWith('visits/session-'))
        found.push(event)
    return found
  }
  const position = () => service.background.stores.log.lastPosition()
  const happening = async (what: () => Promise<unknown>) => {
    const from = await position()
    await what()
    return eventsAfter(from)
  }

  it('begins a session and says nothing more of it than its secret', async () => {
    const events = await happening(async () => {
      const { status, body, headers } = await call('/visits', first(), visit({ search: '?utm_source=mail' }))
      expect(status).to.equal(200)
      expect(Object.keys(body)).to.have.members(['ok', 'session'])
      expect(headers.get('cache-control')).to.contain('no-store')
      expect(headers.get('access-control-allow-origin')).to.equal(first().origin)
      expect(headers.get('vary')).to.equal('Origin')
    })
    expect(events.map(({ type }) => type)).to.deep.equal(['SessionBegan', 'PageViewed'])
    const [began, view] = events
    expect(began!.data).to.include({
      ...{ utm_source: 'mail', browser: 'Chrome', os: 'Windows', device_type: 'desktop', bot: false, live_mode: true },
      landing_page: first().url,
    })
    expect(began!.data.personal).to.be.a('string')
    expect(view!.data).to.include({ page_id: first().id, funnel_id: funnel.id, consent: true, previous_at: null })
  })

  it('counts a view once, also when the answer to the first was lost (case 26, 13b 41)', async () => {
    const sent = visit()
    const events = await happening(async () => {
      const answers = await Promise.all([1, 2, 3].map(() => call('/visits', first(), sent)))
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200])
      const session = answers[0]!.body.session
      await call('/visits', first(), { ...sent, session })
      const next = { session, consent: true, visit: viewed({ number: 2 }) }
      expect((await call('/visits', second(), next)).body).to.deep.equal({ ok: true })
      expect((await call('/visits', second(), next)).body).to.deep.equal({ ok: true })
    })
    expect(events.map(({ type }) => type)).to.deep.equal(['SessionBegan', 'PageViewed', 'PageViewed'])
    expect(new Set(events.map(({ stream }) => parseStream(stream).id)).size).to.equal(1)
  })

  it('counts a repeat of the first of more views than a session remembers once (13b 41)', async () => {
    const sent = viewed()
    const { session } = (await call('/visits', first(), { ...visit(), visit: sent })).body
    const events = await happening(async () => {
      for (let n = 0; n < 205; n += 41)
        await Promise.all(
          Array.from({ length: 41 }, () => call('/visits', first(), { session, consent: true, visit: viewed() })),
        )
      const again = await call('/visits', first(), { session, consent: true, visit: sent })
      expect(again.body).to.deep.equal({ ok: true })
    })
    expect(events).to.have.length(205)
  })

  const lostIn = async (id: number) => (await tenant.api.get(`/funnels/${id}/stats`)).body.summary.pageviews_lost

  it('shows how many views have not arrived, within a load and between two (13b 40)', async () => {
    const lostOf = () => lostIn(funnel.id)
    const before = await lostOf()
    const load = random()
    const { session } = (await call('/visits', first(), visit({ load, number: 1 }))).body
    const next = (more: object) => call('/visits', first(), { session, consent: true, visit: viewed(more) })
    await next({ load, number: 3 })
    expect(await lostOf()).to.equal(before + 1)
    const [missing, then] = [random(), random()]
    await next({ load: then, number: 1, after: `${missing}.2` })
    expect(await lostOf()).to.equal(before + 3)
    await next({ load: missing, number: 2 })
    await next({ load: then, number: 2, after: `${load}.3` })
    expect(await lostOf()).to.equal(before + 2)
    for (const nonsense of ['x', `${load}.x`, '{}', `${load}.`]) await next({ load: random(), after: nonsense })
    expect(await lostOf()).to.equal(before + 2)
    expect((await next({ after: 5 })).status).to.equal(400)
  })

  it('tells the previous view of a step, so that a window counts sessions exactly (13b 45)', async () => {
    const events = await happening(async () => {
      const { session } = (await call('/visits', first(), visit())).body
      await call('/visits', first(), { session, consent: true, visit: viewed() })
      await call('/visits', first(), { session, consent: false, visit: viewed() })
      await call('/visits', second(), { session, consent: true, visit: viewed() })
    })
    const views = events.filter(({ type }) => type === 'PageViewed').map(({ data }) => data)
    expect(views.map(({ previous_at }) => previous_at)).to.deep.equal([null, views[0]!.viewed_at, null, null])
  })

  it('takes the time of receipt less the age, and never the clock of the visitor (13b 42)', async () => {
    const began = Date.now()
    const events = await happening(async () => {
      await call('/visits', first(), visit({ age_ms: 60_000 }))
      await call('/visits', first(), visit({ age_ms: 1e12 }))
      await call('/visits', first(), visit({ age_ms: -5000 }))
    })
    const ages = events.flatMap(({ type, data }) =>
      type === 'PageViewed' ? began - Date.parse(String(data.viewed_at)) : [],
    )
    expect(ages[0]).to.be.within(55_000, 60_500)
    expect(ages[1]).to.be.within(29 * 60_000, 30.5 * 60_000)
    // A clock that was set back while the page was open: the view is kept, and is not of the future.
    expect([ages.length, ages[2]! <= 0, began - ages[2]! <= Date.now()]).to.deep.equal([3, true, true])
  })

  it('keeps what it can of a query that cannot be decoded (case 13)', async () => {
    const search = '?utm_source=%E0%A4%A&utm_term=50%&utm_medium=e%2Bmail+x&email=a%40b.test'
    const [began] = await happening(() => call('/visits', first(), visit({ search })))
    expect(began!.data).to.include({ utm_source: '%E0%A4%A', utm_term: '50%', utm_medium: 'e+mail x' })
    expect(JSON.stringify(began!.data)).not.to.contain('b.test')
  })

  it('keeps the campaign of a landing that arrives after the view that followed it (18, M6)', async () => {
    const load = random()
    const { body } = await call('/visits', second(), visit({ load, number: 2 }))
    const search = '?utm_source=mail&utm_campaign=may'
    const late = { ...visit({ load, number: 1, search }), session: body.session }
    const [view] = await happening(() => call('/visits', first(), late))
    expect(view!.type).to.equal('PageViewed')
    const { readModels } = service.background.stores
    const kept = await readModels.live.get('visits/session', parseStream(view!.stream).id)
    expect(kept).to.include({
      ...{ utm_source: 'mail', utm_campaign: 'may', landing_page: first().url, page_id: first().id },
    })
  })

  it('names no own step, no payment provider and not the SDK as a source (case 27, 13b 39)', async () => {
    const domains = []
    const referrers = [
      ...[`${second().origin}/b`, `${first().url}?x`, `${service.sdkUrl}/next/x`, 'https://hooks.stripe.com/3ds'],
      ...['https://www.news.example/story', 'javascript:alert(1)', ''],
    ]
    for (const referrer of referrers) {
      const [began] = await happening(() => call('/visits', first(), visit({ referrer })))
      domains.push(began!.data.referring_domain)
    }
    expect(domains).to.deep.equal([null, null, null, null, 'news.example', null, null])
  })

  it('keeps neither visitor nor address without consent (cases 28 and 29)', async () => {
    const events = await happening(() => call('/visits', first(), { ...visit({}, false), visitor: random() }))
    expect(events[0]!.data).to.include({ visitor: null, consent: false })
    expect(events[1]!.data).to.include({ consent: false })
    const { vault } = service.background.stores
    const opened = await vault.open(Number(events[0]!.metadata.of), String(events[0]!.data.personal))
    expect(opened).to.deep.equal({ ip: null, user_agent: null, referrer: null, typed: null })
  })

  it('marks crawlers at receipt (13b 46)', async () => {
    const bot = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }
    const events = await happening(() => call('/visits', first(), visit(), bot))
    expect(events.map(({ data }) => data.bot)).to.deep.equal([true, true])
  })

  it('counts 500 visitors behind one address (13b 49)', async () => {
    const events = await happening(async () => {
      // An address may have 500 connections at once, and other suites of this process have some of them.
      for (let turn = 0; turn < 5; turn++) {
        const answers = await Promise.all(Array.from({ length: 100 }, () => call('/visits', first(), visit())))
        expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]))
      }
    })
    expect(events.filter(({ type }) => type === 'PageViewed')).to.have.length(500)
  })

  it('counts views of a standalone page, and none of a preview or a file (cases 72, 13b 47)', async () => {
    const alone = await standalonePage(tenant, `https://alone.example/${random()}`)
    const events = await happening(() => call('/visits', alone, visit()))
    expect(events.map(({ type }) => type)).to.deep.equal(['SessionBegan', 'PageViewed'])
    expect(events[1]!.data).to.include({ live_mode: true, funnel_id: null, show_page_step_id: null })
    const testing = await sdkFunnel(tenant, ['https://testing.example/a'], false)
    const none = await happening(async () => {
      const page = testing.pages[0]!
      const before = await position()
      for (const url of ['http://localhost:5173/a', 'file:///home/ann/a.html']) {
        const origin = url.startsWith('file') ? 'null' : new URL(url).origin
        const { body } = await call('/visits', { ...page, url, origin }, visit())
        expect(body).to.deep.equal({ ok: true })
      }
      expect(await position()).to.equal(before)
    })
    expect(none).to.deep.equal([])
  })

  it('refuses what is no visit, naming the field', async () => {
    const wrong = [
      [{ consent: true }, 'visit'],
      [{ consent: 'yes', visit: viewed() }, 'consent'],
      [visit({ id: 'short' }), 'id'],
      [visit({ load: 7 }), 'load'],
      [visit({ number: 0.5 }), 'number'],
      [visit({ number: 1.5 }), 'number'],
      [visit({ age_ms: '5' }), 'age_ms'],
      [visit({ search: {} }), 'search'],
      [{ ...visit(), visitor: '__proto__' }, 'visitor'],
    ] as const
    for (const [body, field] of wrong) {
      const answer = await call('/visits', first(), body)
      expect([answer.status, answer.body.error.code], field).to.deep.equal([400, 'bad_request'])
      expect(answer.body.error.message).to.match(new RegExp(`^${field} `))
    }
  })

  it('refuses forged origins, unknown tokens and bodies of a megabyte', async () => {
    const codes = [
      await call('/visits', { ...first(), origin: 'https://evil.example' }, visit()),
      await call('/visits', { ...first(), url: 'https://evil.example/a', origin: 'https://evil.example' }, visit()),
      await call('/visits', { ...first(), token: `cfp_${'y'.repeat(24)}` }, visit()),
      await call('/visits', first(), { ...visit(), padding: 'x'.repeat(1024 * 1024) }),
    ].map(({ status, body }) => `${status} ${body.error.code}`)
    expect(codes.slice(0, 3)).to.deep.equal(['403 origin_mismatch', '403 url_mismatch', '404 unknown_token'])
    expect(codes[3]).to.match(/^4\d\d /)
  })

  it('takes a forged or foreign secret for none', async () => {
    const other = await service.tenant()
    const foreign = await sdkFunnel(other, ['https://land.example/other'])
    const { session } = (await call('/visits', foreign.pages[0]!, visit())).body
    for (const secret of [session, `${session}x`, 'nonsense', 7, { $ne: 1 }, `${random()}.${random()}`]) {
      const { status, body } = await call('/visits', first(), { ...visit(), session: secret })
      expect(status).to.equal(200)
      expect(body.session).to.be.a('string').and.not.equal(session)
    }
  })
})
