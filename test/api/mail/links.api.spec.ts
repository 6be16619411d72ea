import { expect } from 'chai'
import { delivery, mailingIdOf } from '../../../domain/emails/public.ts'
import { type KeptMail, readKept } from '../../../infra/mail/files.ts'
import { ok } from '../../support/client.ts'
import { destinationsIn } from '../../support/destinations.ts'
import { until } from '../../support/eventually.ts'
import { completeAddress } from '../../support/records/emails.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { begin, CONTENT, createContacts, deliveriesOf, settledOf } from '../../workers/mail/mailing-tenant.ts'
import { enrolling } from '../workflows/runs/enrolled.ts'
import { draft, order, settledBroadcast } from './broadcasting.ts'

const FORM = 'application/x-www-form-urlencoded'

describe('links of mails', () => {
  let service: TestService
  let tenant: Tenant
  let people = 0

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
  })

  /** Sends a mail to a new contact. @returns the contact, the mail, and its links */
  const mailed = async (html_body = '<p>Hello</p>') => {
    const [contactId = 0] = await createContacts(tenant, [`reader${++people}@links.example`])
    const mailing = await begin(tenant, [contactId], { content: { ...CONTENT, html_body } })
    const [delivery] = await settledOf(service, mailing)
    const mail = (await readKept(service.background.stores, mailing, delivery!.id))!
    const header = /^<(.*)>$/.exec(mail.headers['List-Unsubscribe'] ?? '')?.[1] ?? ''
    const preferences = destinationsIn(mail.html).find((url) => url !== header && /\/m\//.test(url))!
    return { contactId, mail, unsubscribe: header, preferences, links: destinationsIn(mail.html) }
  }
  const contactOf = async (id: number) => {
    await service.caughtUp()
    return ok(await tenant.api.get(`/contacts/${id}`))
  }
  const form = (url: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' })

  it('14 11: change nothing when they are fetched, whatever they are for', async () => {
    const { contactId, links, unsubscribe } = await mailed('<a href="https://shop.example/a">a</a>')
    const last = await service.background.stores.log.lastPosition()
    for (const url of [...links, unsubscribe])
      for (const method of ['GET', 'HEAD', 'GET']) {
        const { status } = await fetch(url, { method, redirect: 'manual' })
        expect(status, url).to.be.oneOf([200, 302])
      }
    const types = new Set<string>()
    for await (const { type } of service.background.stores.log.readAll({ after: last })) types.add(type)
    expect([...types]).to.deep.equal(['MailFetched'])
    expect((await contactOf(contactId)).unsubscribed_at).to.equal(null)
  })

  it('14 11: have a button that unsubscribes, by a form and without script', async () => {
    const { contactId, unsubscribe } = await mailed()
    const page = await fetch(unsubscribe)
    const html = await page.text()
    expect(html)
      .to.contain('<form method="post">')
      .and.match(/<button name="act"[^>]*>Unsubscribe<\/button>/)
    expect(html).to.not.contain('<script')
    expect(page.headers.get('content-security-policy'))
      .to.contain("default-src 'none'")
      .and.contain("form-action 'self'")
    const done = await form(unsubscribe, { act: 'unsubscribe' })
    expect([done.status, await done.text()].join(' '))
      .to.contain('200')
      .and.contain('You are unsubscribed')
    expect((await contactOf(contactId)).unsubscribed_at).to.be.a('string')
    expect(await (await fetch(unsubscribe)).text())
      .to.contain('You are unsubscribed')
      .and.not.contain('<form')
  })

  it('14 12: one click unsubscribes without cookie, Origin or token of a form, and again changes nothing', async () => {
    const { contactId, unsubscribe } = await mailed()
    for (const body of [
      new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
      (() => {
        const parts = new FormData()
        parts.set('List-Unsubscribe', 'One-Click')
        return parts
      })(),
    ]) {
      const answer = await fetch(unsubscribe, { method: 'POST', body, redirect: 'manual' })
      expect([answer.status, answer.redirected, await answer.text()]).to.deep.equal([200, false, ''])
    }
    const { unsubscribed_at } = await contactOf(contactId)
    expect(unsubscribed_at).to.be.a('string')
    await fetch(unsubscribe, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })
    expect((await contactOf(contactId)).unsubscribed_at).to.equal(unsubscribed_at)
  })

  it('change nothing by a form that does not say what it asks for, and take no other methods', async () => {
    const click = (await mailed('<a href="https://shop.example/a">a</a>')).links[0]!
    const { contactId, unsubscribe, preferences } = await mailed()
    const last = await service.background.stores.log.lastPosition()
    const bodies = ['', 'x=1', 'act=', 'act=confirm', 'mail=1', 'note=List-Unsubscribe%3DOne-Click']
    for (const url of [unsubscribe, preferences])
      for (const body of bodies) {
        const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': FORM } })
        expect([answer.status, /<button/.test(await answer.text())], `${url} ${body}`).to.deep.equal([400, true])
      }
    for (const [url, allow] of [
      [unsubscribe, 'GET, HEAD, POST'],
      [preferences, 'GET, HEAD, POST'],
      [click, 'GET, HEAD'],
    ] as const)
      for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const answer = await fetch(url, { method, redirect: 'manual' })
        expect([answer.status, answer.headers.get('allow')], `${method} ${url}`).to.deep.equal([405, allow])
      }
    expect((await fetch(click, { method: 'POST', redirect: 'manual' })).status).to.equal(405)
    expect((await contactOf(contactId)).unsubscribed_at).to.equal(null)
    expect(await service.background.stores.log.lastPosition()).to.equal(last)
  })

  it('14 5: the person comes back on the preference page, and no page says that somebody is subscribed who is not', async () => {
    const { contactId, preferences } = await mailed()
    expect(await (await fetch(preferences)).text()).to.match(/name="mail" value="1" checked/)
    const off = await (await form(preferences, { act: 'save' })).text()
    expect(off).to.contain('You get no mail of this kind').and.not.contain('checked')
    expect((await contactOf(contactId)).unsubscribed_at).to.be.a('string')
    const on = await (await form(preferences, { act: 'save', mail: '1' })).text()
    expect(on).to.contain('checked').and.not.contain('You get no mail')
    expect((await contactOf(contactId)).unsubscribed_at).to.equal(null)
  })

  it('14 16: show the address masked and nothing else of the person; a forged token has the same page as an unknown one', async () => {
    const { unsubscribe, preferences } = await mailed()
    for (const url of [unsubscribe, preferences]) {
      const html = await (await fetch(url)).text()
      expect(html).to.contain('r…@l….example').and.not.contain('reader').and.not.contain('Ann')
    }
    const torn = await fetch(`${unsubscribe.slice(0, -1)}${unsubscribe.endsWith('A') ? 'B' : 'A'}`)
    const unknown = await fetch(unsubscribe.replace(/\/m\/.*$/, '/m/AAAAAAAAAAAAAAAAAAAAAAAAAA'))
    expect([torn.status, unknown.status]).to.deep.equal([404, 404])
    expect(await torn.text()).to.equal(await unknown.text())
  })

  it('14 61, 62: lead to exactly what the author wrote, and nowhere else', async () => {
    const html_body =
      '<a href="https://shop.example/a?x=1&amp;y=%2F+z#part">a</a><a href="https://shop.example/Привет?q={{ contact.first_name }}">b</a>'
    const { links } = await mailed(html_body)
    const clicks = links.slice(0, 2)
    const locations = []
    for (const url of clicks) {
      const { status, headers } = await fetch(url, { redirect: 'manual' })
      expect(status).to.equal(302)
      locations.push(headers.get('location'))
    }
    expect(locations).to.deep.equal([
      'https://shop.example/a?x=1&y=%2F+z#part',
      `https://shop.example/${encodeURIComponent('Привет')}?q=Ann`,
    ])
    for (const [index, url] of clicks.entries()) {
      const at = url.length - 5 - index
      const changed = url.slice(0, at) + (url[at] === 'A' ? 'B' : 'A') + url.slice(at + 1)
      expect((await fetch(changed, { redirect: 'manual' })).status).to.equal(404)
    }
  })

  it('lead to what a browser asks for that follows what the author wrote', async () => {
    const same = 'https://shop.example/[x]?sig={a}|^b[c]%2F'
    const { links } = await mailed(`<a href="${same}">a</a><a href="https://shop.example/lo\n\tng">b</a>`)
    const locations = []
    for (const url of links.slice(0, 2))
      locations.push((await fetch(url, { redirect: 'manual' })).headers.get('location'))
    expect(locations).to.deep.equal([same, 'https://shop.example/long'])
  })

  it('14 63: lead on when the person was erased, and unsubscribe nobody then', async () => {
    const { contactId, links, unsubscribe } = await mailed('<a href="https://shop.example/a">a</a>')
    ok(await tenant.api.delete(`/contacts/${contactId}/gdpr_destroy`))
    await service.caughtUp()
    const { status, headers } = await fetch(links[0]!, { redirect: 'manual' })
    expect([status, headers.get('location')]).to.deep.equal([302, 'https://shop.example/a'])
    const click = await fetch(unsubscribe, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    })
    expect(click.status).to.equal(200)
    expect((await fetch(unsubscribe)).status).to.equal(404)
  })

  it('14 66: need no record for each recipient: the log holds each destination as often for twenty as for two', async () => {
    const urls = Array.from({ length: 20 }, (_, n) => `https://shop.example/page-${n}`)
    const html_body = urls.map((url) => `<a href="${url}">x</a>`).join('')
    const destinationsFor = async (readers: number) => {
      const last = await service.background.stores.log.lastPosition()
      const names = Array.from({ length: readers }, () => `reader${++people}@links.example`)
      const contacts = await createContacts(tenant, names)
      const mailing = await begin(tenant, contacts, { content: { ...CONTENT, html_body } })
      const sent = await settledOf(service, mailing)
      for (const [index, one] of sent.entries()) {
        const { html } = (await readKept(service.background.stores, mailing, one.id))!
        const { headers } = await fetch(destinationsIn(html)[index]!, { redirect: 'manual' })
        expect(headers.get('location')).to.equal(urls[index])
      }
      let log = ''
      for await (const event of service.background.stores.log.readAll({ after: last })) log += JSON.stringify(event)
      return log.split('shop.example/page-').length - 1
    }
    const forTwo = await destinationsFor(2)
    expect(forTwo).to.equal(20)
    expect(await destinationsFor(20)).to.equal(forTwo)
  })

  it('14 64, 65: are counted when a person follows them, apart from programs, without address and agent of the request', async () => {
    const own = await service.tenant({ test: true })
    const on = enrolling(own)
    const [contactId = 0] = await createContacts(own, ['counted@links.example'])
    const html_body = '<a href="https://shop.example/a">a</a><a href="https://shop.example/b">b</a>'
    const mailing = await begin(own, [contactId], { content: { ...CONTENT, html_body } })
    const [sent] = await settledOf(service, mailing)
    const mail = (await readKept(service.background.stores, mailing, sent!.id))!
    const [first = ''] = destinationsIn(mail.html)
    const unsubscribe = /^<(.*)>$/.exec(mail.headers['List-Unsubscribe'] ?? '')?.[1] ?? ''
    const pixel = /<img src="([^"]+)"/.exec(mail.html)?.[1] ?? ''
    await on.later(1)
    const agent =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36'
    const fetchAs = (url: string, userAgent: string, method = 'GET') =>
      fetch(url, { method, headers: { 'user-agent': userAgent }, redirect: 'manual' })
    await fetchAs(pixel, agent)
    await fetchAs(first, agent)
    await fetchAs(pixel, 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)')
    await fetchAs(first, 'curl/8.5.0', 'HEAD')
    await on.later(1)
    const counted = async () => (await deliveriesOf(service, mailing))[0]!
    const delivery = await counted()
    expect(delivery).to.deep.include({ opens: 1, clicks: 1, machine_fetches: 2, pending: [] })
    expect(delivery.opened_at).to.be.a('string')
    await fetchAs(first, agent, 'HEAD')
    await fetchAs(first, agent)
    await on.later(1)
    expect(await counted(), 'a head, and all of it').to.deep.include({ opens: 1, clicks: 1, machine_fetches: 4 })
    await fetchAs(unsubscribe, agent)
    await fetchAs(first, agent)
    await on.later(1)
    expect(await counted(), 'a link beside the page to unsubscribe').to.deep.include({ clicks: 1, machine_fetches: 5 })
    await fetchAs(pixel, agent)
    await fetchAs(unsubscribe, agent)
    await on.later(1)
    expect(await counted(), 'who unsubscribes').to.deep.include({ opens: 2, clicks: 1, machine_fetches: 5 })
    let log = ''
    for await (const event of service.background.stores.log.readStream(`emails/mailing-${mailing}`))
      log += JSON.stringify(event)
    expect(log).to.not.contain('Chrome').and.not.contain('127.0.0.1')
  })

  it('14 15: work for as long as the mail exists, whatever becomes of what it came from', async () => {
    const own = await service.tenant({ test: true })
    const on = enrolling(own)
    await completeAddress(own)
    const link = '<a href="https://shop.example/a">a</a>'
    const [reader = 0, enrolled = 0] = await createContacts(own, ['reader@kept.example', 'enrolled@kept.example'])
    const template_id = await recordMakers['emails/template']!.make(own)
    const html_body = { emails_template: { html_body: link } }
    ok(await own.api.put(`/emails/templates/${template_id}`, html_body))
    const topic = await recordMakers['emails/topic']!.make(own)
    const broadcast = await draft(own, { template_id, topic_ids: [topic] })
    await order(own, broadcast)
    await settledBroadcast(own, broadcast)
    const tag = await on.make('contacts/tag')
    const workflow = await on.startedBy(tag, { send_email_step: { subject: 'Hi', html_body: link } })
    await on.applyTag(enrolled, tag)
    await on.runIn(workflow, 'completed')
    const elsewhere = await begin(own, [reader], { content: { ...CONTENT, html_body: link } })
    await settledOf(service, elsewhere)
    const { stores } = service.background
    const where = { contact_id: { $in: [reader, enrolled] } }
    let mails: readonly (KeptMail | undefined)[] = []
    await until(async () => {
      const sent = await stores.readModels.live.find(delivery.name, { where })
      mails = await Promise.all(sent.map(({ id }) => readKept(stores, mailingIdOf(Number(id)), Number(id))))
      return mails.length === 4 && mails.every((mail) => mail !== undefined)
    }, 'all four mails are kept')

    // What was sent stays; it is its topic, template and workflow that go.
    expect((await own.api.delete(`/emails/broadcasts/${broadcast}`)).status).to.equal(409)
    ok(await own.api.delete(`/emails/templates/${template_id}`))
    ok(await own.api.delete(`/emails/topics/${topic}`))
    ok(await workflow.disable())
    ok(await own.api.delete(`/workflows/${workflow.id}`))
    for (const mail of mails) {
      const [click = ''] = destinationsIn(mail!.html)
      const header = /^<(.*)>$/.exec(mail!.headers['List-Unsubscribe'] ?? '')?.[1] ?? ''
      expect((await fetch(click, { redirect: 'manual' })).headers.get('location')).to.equal('https://shop.example/a')
      expect((await fetch(header)).status).to.equal(200)
      expect(await (await form(header, { act: 'unsubscribe' })).text()).to.contain('You are unsubscribed')
    }
  })

  it('speak the language of the reader', async () => {
    const { unsubscribe } = await mailed()
    for (const [language, words] of [
      ['pt-BR', 'Cancelar inscrição'],
      ['ja', '配信停止'],
      ['de', 'Unsubscribe'],
    ]) {
      const html = await (await fetch(unsubscribe, { headers: { 'accept-language': language! } })).text()
      expect(html).to.contain(`<h1>${words}</h1>`)
    }
  })
})
