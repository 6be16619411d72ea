import type { ServerResponse } from 'node:http'
import { expect } from 'chai'
import { readKept } from '../../infra/mail/files.ts'
import { destinationsIn } from '../support/destinations.ts'
import { askHost } from '../support/hosts.ts'
import { callOf, sdkFunnel, submitOf, visit } from '../support/sdk-pages.ts'
import { answers, type Receiver, startReceiver } from '../support/servers/receiver.ts'
import { startTestService, type Tenant, type TestService } from '../support/service.ts'
import { splitFunnel } from '../support/traffic/entry-traffic.ts'
import { uniqueUrl } from '../support/traffic/funnels.ts'
import { begin, CONTENT, createContacts, settledOf } from '../workers/mail/mailing-tenant.ts'

const SECOND = 1000
const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))

const FORM = 'application/x-www-form-urlencoded'

/** What people do in a workspace without its API, each in a way that is written down. */
const actsOf = async (service: TestService, tenant: Tenant) => {
  const { sdkUrl, publicUrl, background } = service
  const { funnel, host } = await splitFunnel(tenant)
  const page = (await sdkFunnel(tenant, [uniqueUrl()])).pages[0]!
  const [call, submit] = [callOf({ sdkUrl }), submitOf({ sdkUrl })]
  const { nonce } = (await call('/nonce', page, {})).body
  const [contactId = 0] = await createContacts(tenant, ['reader@clocks.example'])
  const html_body = '<p>Hello <a href="https://shop.example/a">there</a></p>'
  const mailing = await begin(tenant, [contactId], { content: { ...CONTENT, html_body } })
  const [delivery] = await settledOf(service, mailing)
  const { html, headers } = (await readKept(background.stores, mailing, delivery!.id))!
  const unsubscribe = /^<(.*)>$/.exec(headers['List-Unsubscribe'] ?? '')?.[1] ?? ''
  const pixel = /<img[^>]*src="([^"]*\/m\/[^"]*)"/.exec(html)![1]!
  const [click, ...others] = destinationsIn(html).filter((url) => url.includes('/m/') && url !== unsubscribe)
  const preferences = others.find((url) => url !== pixel)!
  const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
  const browse = async (url: string, body?: string) => {
    const more = body === undefined ? {} : { method: 'POST', body }
    const sent = {
      redirect: 'manual',
      headers: { ...person, ...(body !== undefined && { 'content-type': FORM }) },
    } as const
    const answer = await fetch(url, { ...sent, ...more })
    return { status: answer.status, after: answer.headers.get('retry-after'), text: await answer.text() }
  }
  const onHost = async (path: string, body?: string) => {
    const sent = { ...person, 'content-type': FORM, origin: `http://${host}` }
    const answer = await askHost(
      publicUrl,
      host,
      path,
      body === undefined ? {} : { method: 'POST', body, headers: sent },
    )
    return { status: answer.status, after: answer.headers['retry-after'], text: answer.text }
  }
  const called = async (answer: Promise<{ status: number; headers: Headers; body?: unknown; text?: string }>) => {
    const { status, headers: given, body, text } = await answer
    return { status, after: given.get('retry-after'), text: text ?? JSON.stringify(body) }
  }
  const data = [['email', 'new@clocks.example']] as const
  return {
    'a view': () => called(call('/visits', page, visit())),
    'a form': () => called(submit(page, { nonce }, data)),
    'the entry of a split': () => onHost(funnel.current_path),
    'a link of a mail': () => browse(click!),
    'the picture of a mail': () => browse(pixel),
    'a button to unsubscribe': () => browse(unsubscribe, 'act=unsubscribe'),
    'one click': () => browse(unsubscribe, 'List-Unsubscribe=One-Click'),
    'choices of mail': () => browse(preferences, 'act=save&mail=1'),
    'a link to sign in': () => onHost('/members/sign-in', 'address=reader@clocks.example'),
  }
}

describe('a test workspace with webhooks', () => {
  let service: TestService
  let tenant: Tenant
  let receiver: Receiver
  let own: string

  beforeEach(async () => {
    service ??= await startTestService({ MILLRACE_ALLOW_PRIVATE_TARGETS: '1' })
    tenant = await service.tenant({ test: true })
    receiver = await startReceiver()
    own = `/workspaces/${tenant.workspaceId}`
  })
  afterEach(() => receiver.close())

  const shown = async () => (await tenant.api.get(`${own}/test_clock`)).body
  const send = async (ms: number) => {
    const to = new Date(Date.parse((await shown()).now) + ms).toISOString()
    expect((await tenant.api.post(`${own}/test_clock`, { to })).status).to.equal(202)
  }
  const arrived = async () => {
    while ((await shown()).state === 'advancing') await pause(5)
  }
  const advance = async (ms: number) => {
    await send(ms)
    await arrived()
  }
  const subscribe = async () => {
    const endpoint = { url: receiver.url, name: 'Test', event_type_ids: ['$contact.created'] }
    const answer = await tenant.api.post(`${own}/webhooks/outgoing/endpoints`, { webhooks_outgoing_endpoint: endpoint })
    expect(answer.status).to.equal(201)
  }

  it('has them tried again by its clock', async () => {
    const { api } = tenant
    receiver.behave((received, response) => answers(receiver.received.length <= 3 ? 503 : 200)(received, response))
    await advance(365 * 24 * 3600 * SECOND)
    const { now: begun } = await shown()
    await subscribe()
    expect((await api.post(`${own}/contacts`, { contact: { first_name: 'Ada' } })).status).to.equal(201)
    await receiver.until(1)
    const since = Date.now()
    await advance(3600 * SECOND)
    expect(Date.now() - since, 'nobody waits for it').to.be.lessThan(60 * SECOND)
    const [event] = (await api.get(`${own}/webhooks/outgoing/events`)).body
    const [delivery] = event.deliveries
    const times = delivery.attempts.map(({ at }: { at: string }) => Date.parse(at))
    expect([delivery.status, times.length, receiver.received.length]).to.deep.equal(['delivered', 4, 4])
    expect(event.created_at > begun).to.equal(true)
    for (const [index, wait] of [SECOND, 15 * SECOND, 60 * SECOND].entries())
      expect(times[index + 1] - times[index]).to.be.within(wait, wait * 1.1 + 1000)
  })

  it('asks visitors and recipients to come again while its clock is advanced, and takes what they do afterwards', async () => {
    const acts = await actsOf(service, tenant)
    await subscribe()
    const waiting: ServerResponse[] = []
    // What has not been answered holds the clock.
    receiver.behave((_received, response) => waiting.push(response))
    expect((await tenant.api.post(`${own}/contacts`, { contact: { first_name: 'Ada' } })).status).to.equal(201)
    await receiver.until(1)
    await send(3600 * SECOND)
    const { log } = service.background.stores
    const before = await log.lastPosition()
    for (const [name, act] of Object.entries(acts)) {
      const { status, after, text } = await act()
      expect([status, after], `${name}: ${text}`).to.deep.equal([503, '1'])
      expect(text, name).to.match(/moment|being advanced/i)
    }
    const written: string[] = []
    for await (const { stream, type } of log.readAll({ after: before })) written.push(`${stream} ${type}`)
    expect(written).to.deep.equal([])
    expect((await shown()).state).to.equal('advancing')
    receiver.behave(answers(200))
    for (const response of waiting) response.end()
    await arrived()
    for (const [name, act] of Object.entries(acts)) {
      const { status, text } = await act()
      expect(status, `${name}: ${text}`).to.be.oneOf([200, 302, 303])
    }
  })
})
