import { expect } from 'chai'
import { type Load, openPage } from '../../sdk/core/page.ts'
import type { Page } from '../../sdk/core/parts.ts'
import { takeTicket } from '../../sdk/core/ticket.ts'
import { type FakeHost, fakeHost, settled } from './support/fake-host.ts'

const INIT = { ok: true, mode: 'live', in_funnel: true, space: 'w1', checkout: null, offer: false }

const begin = (host: FakeHost, load: Load = { id: 'load', views: 0, ticket: takeTicket(host), identities: {} }) => {
  const controller = new AbortController()
  const opened: Page[] = []
  const page = openPage(host, 'cfp_A', load, controller.signal, (page) => void opened.push(page))
  return { page, opened, controller, load }
}

describe('page of one token', () => {
  it('13a-11 asks init with origin and path alone', () => {
    const host = fakeHost('http://shop.test/a%20b/?email=a@b.test#top')
    begin(host)
    expect(host.calls.map(({ path }) => path)).to.deep.equal([
      '/init?sdk_page_token=cfp_A&url=http%3A%2F%2Fshop.test%2Fa%2520b%2F',
    ])
  })

  it('counts a view after init, without a header that would need leave', async () => {
    const host = fakeHost('http://shop.test/?utm_source=x')
    host.referrer = 'http://other.test/'
    const { page, opened } = begin(host)
    host.calls[0]?.answer(INIT)
    await settled()
    const { path, body, options } = host.calls[1]!
    expect(opened).to.deep.equal([page])
    expect(path).to.equal('/visits')
    expect([options.headers, options.keepalive]).to.deep.equal([undefined, true])
    const { id, ...visit } = body.visit
    expect(visit).to.deep.equal({
      load: 'load',
      number: 1,
      after: null,
      age_ms: 0,
      search: '?utm_source=x',
      referrer: 'http://other.test/',
    })
    expect(body).to.include({
      token: 'cfp_A',
      url: 'http://shop.test/',
      consent: true,
      visitor: page.identity?.visitor(),
    })
    expect(body).not.to.have.property('session')
    host.calls[1]?.answer({ ok: true, session: 's1' })
    await settled()
    expect(page.identity?.session()).to.equal('s1')
  })

  it('13a-25 sends a view once more, plainly, when the browser refuses it', async () => {
    const host = fakeHost()
    begin(host)
    host.calls[0]?.answer(INIT)
    await settled()
    host.calls[1]?.fail()
    await settled()
    const [, first, second] = host.calls
    expect([second?.options.keepalive, second?.body]).to.deep.equal([false, first?.body])
    second?.fail()
    await settled()
    expect(host.calls).to.have.length(3)
  })

  it('13a-7 drops every answer that comes after the end of the page', async () => {
    const host = fakeHost()
    const { page, opened, controller } = begin(host)
    controller.abort()
    host.calls[0]?.answer(INIT)
    await settled()
    expect([opened, page.init, host.calls.length]).to.deep.equal([[], undefined, 1])
    expect((await page.call('/nonce', {})).error?.code).to.equal('abandoned')
    expect(host.calls).to.have.length(1)
  }).timeout(8000)

  it('trades a ticket before it counts, and asks for what was typed only then', async () => {
    const host = fakeHost('http://shop.test/#cf_ticket=t')
    const { page, load } = begin(host)
    host.calls[0]?.answer(INIT)
    await settled()
    expect(host.calls.map(({ path }) => path).slice(1)).to.deep.equal(['/trade'])
    host.calls[1]?.answer({ ok: true, session: 'traded' })
    await settled()
    expect(host.calls[2]?.body.session).to.equal('traded')
    expect(await page.isKnown).to.equal(true)
    expect([load.ticket, host.stored.get('cf_ticket')]).to.deep.equal([undefined, undefined])
  })

  it('keeps a ticket that could not be traded', async () => {
    const host = fakeHost('http://shop.test/#cf_ticket=t')
    const { load } = begin(host)
    host.calls[0]?.answer(INIT)
    await settled()
    host.calls[1]?.fail()
    await settled()
    expect(load.ticket?.ticket).to.equal('t')
    expect(host.stored.has('cf_ticket')).to.equal(true)
  })

  it('13a-9 calls after three seconds while a visit hangs', async () => {
    const host = fakeHost()
    const { page } = begin(host)
    host.calls[0]?.answer(INIT)
    await settled()
    const since = Date.now()
    void page.call('/nonce', { a: 1 })
    while (!host.calls[2]) await settled()
    expect(Date.now() - since).to.be.within(2900, 4000)
    expect(host.calls[2].body).to.deep.equal({ token: 'cfp_A', url: 'http://shop.test/', a: 1 })
  }).timeout(8000)

  it('begins another session when the one it has is over, and calls again', async () => {
    const host = fakeHost()
    const { page } = begin(host)
    host.calls[0]?.answer(INIT)
    await settled()
    const answered = page.call('/checkout/pay', { attempt: 1 })
    const answers = [
      { ok: true, session: 's1' },
      { ok: false, error: { code: 'session_invalid', message: '' } },
    ]
    for (const answer of [...answers, { ok: true, session: 's2' }, { ok: true, status: 'pending' }]) {
      host.calls.at(-1)?.answer(answer)
      await settled()
    }
    expect(await answered).to.deep.equal({ ok: true, status: 'pending' })
    expect(host.calls.map(({ path, body }) => [path.slice(0, 7), body?.session])).to.deep.equal([
      ['/init?s', undefined],
      ['/visits', undefined],
      ['/checko', 's1'],
      ['/visits', 's1'],
      ['/checko', 's2'],
    ])
  })

  it('answers as unreachable what is no JSON or no answer', async () => {
    const host = fakeHost()
    const { page, opened } = begin(host)
    host.calls[0]?.fail()
    await settled()
    expect(opened).to.have.length(1)
    expect(page.init?.error?.code).to.equal('unreachable')
  })

  it('13a-28 remembers a session without consent as long as the document is there', async () => {
    const host = fakeHost()
    host.consent = 'denied'
    const { page, load, controller } = begin(host)
    host.calls[0]?.answer(INIT)
    await settled()
    expect(host.calls[1]?.body).to.include({ consent: false })
    expect(host.calls[1]?.body).not.to.have.property('visitor')
    host.calls[1]?.answer({ ok: true, session: 's1' })
    await settled()
    controller.abort()
    const next = begin(host, load)
    host.calls[2]?.answer(INIT)
    await settled()
    expect([page.identity?.session(), next.page.identity?.session()]).to.deep.equal(['s1', 's1'])
  })
})
