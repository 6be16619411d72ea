import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { savedSince } from '../../support/saved-since.ts'
import {
  callOf,
  random,
  type SdkFunnel,
  type SdkPage,
  sdkFunnel,
  standalonePage,
  submitOf,
  viewed,
  visit,
} from '../../support/sdk-pages.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

type Data = readonly (readonly [string, unknown])[]

describe('POST /submit of a page', () => {
  let service: TestService
  let tenant: Tenant
  let funnel: SdkFunnel
  let call: ReturnType<typeof callOf>
  let submit: ReturnType<typeof submitOf>
  let first: SdkPage
  let second: SdkPage

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    funnel = await sdkFunnel(tenant, ['https://opt.example/a', 'https://thanks.example/b#top'])
    const [one, two] = funnel.pages
    first = one!
    second = { ...two!, url: 'https://thanks.example/b' }
    call = callOf(service)
    submit = submitOf(service)
  })

  const newSession = async (page = first): Promise<string> => (await call('/visits', page, visit())).body.session
  const nonceFor = async (session: string | undefined, page = first): Promise<string> =>
    (await call('/nonce', page, session === undefined ? {} : { session })).body.nonce
  /** Sends a form with a nonce of its own. */
  const send = async (data: Data, session?: string, page = first) =>
    submit(page, { nonce: await nonceFor(session, page), session }, data)
  const listed = async (path: string) => {
    await service.caughtUp()
    return ok(await tenant.api.get(`/workspaces/${tenant.workspaceId}${path}`)) as unknown as Record<string, unknown>[]
  }
  const contactWith = async (email: string) =>
    (await listed(`/contacts?filter[email_address]=${encodeURIComponent(email)}`))[0]
  const submissionsOf = async (contactId: unknown) =>
    (await listed('/form_submissions?sort_order=desc')).filter(({ contact_id }) => contact_id === contactId)
  const prefillOf = async (session: unknown, page = first) => (await call('/prefill', page, { session })).body.fields
  const ticketAt = async (location: string | null): Promise<{ target: string; ticket: string }> => {
    const response = await fetch(location!)
    const target = response.headers.get('refresh')!.slice('0; url='.length)
    return { target, ticket: target.split('cf_ticket=')[1]! }
  }

  it('records a contact and a submission, and leads to the next step by the page between (case 39)', async () => {
    const session = await newSession()
    const email = `${random().toLowerCase()}@x.test`
    const answer = await send(
      [
        ['email', ` ${email} `],
        ['first-name', 'Ana'],
        ['custom-attribute:Shoe size', '38'],
        ['x', 'y'],
      ],
      session,
    )
    expect(answer.status).to.equal(302)
    expect(answer.location!.startsWith(`${service.sdkUrl}/next/`)).to.equal(true)
    const between = await fetch(answer.location!)
    expect([between.status, between.headers.get('referrer-policy')]).to.deep.equal([200, 'no-referrer'])
    expect(between.headers.get('cache-control')).to.equal('no-store')
    expect(between.headers.get('set-cookie')).to.equal(null)
    const html = await between.text()
    expect(html).to.contain('<a href="https://thanks.example/b#top&amp;cf_ticket=').and.not.contain('<script')
    expect(between.headers.get('refresh')).to.match(/^0; url=https:\/\/thanks\.example\/b#top&cf_ticket=/)
    const contact = await contactWith(email)
    expect(contact).to.include({ first_name: 'Ana', email_address: email })
    expect(contact!.custom_attributes).to.deep.equal({ shoe_size: '38' })
    const [submission] = await submissionsOf(contact!.id)
    expect(submission!.data).to.deep.equal({ email: ` ${email} `, 'first-name': 'Ana', 'Shoe size': '38' })
    expect(await prefillOf(session)).to.deep.equal({ email, first_name: 'Ana' })
  })

  it('makes one contact of all spellings of an address (case 33)', async () => {
    const name = random().replaceAll(/[-_]/g, 'x')
    await send([['email', ` ${name}@Example.TEST `]])
    await send([['email', `${name.toLowerCase()}@example.test`]])
    const contact = await contactWith(`${name}@example.test`)
    expect(await submissionsOf(contact!.id)).to.have.length(2)
  })

  it('never blanks what is stored, keeps the contact, and shows nothing of its record (cases 20 and 21)', async () => {
    const email = `${random().toLowerCase()}@x.test`
    const fields = { email_address: email, first_name: 'Old', last_name: 'Friend', phone_number: '+49 30 1' }
    const { id } = ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, { contact: fields }))
    const session = await newSession()
    await send(
      [
        ['email', email],
        ['first-name', ''],
        ['name', 'Somebody Else'],
      ],
      session,
    )
    const contact = await contactWith(email)
    expect(contact).to.include({ id, first_name: 'Old', last_name: 'Friend', phone_number: '+49 30 1' })
    expect(await prefillOf(session)).to.deep.equal({ email, name: 'Somebody Else' })
  })

  it('goes on in a new session when another address is typed (cases 19 and 38)', async () => {
    const [a, b] = [`a${random().toLowerCase()}@x.test`, `b${random().toLowerCase()}@x.test`]
    const session = await newSession()
    await send(
      [
        ['email', a],
        ['first-name', 'Ann'],
      ],
      session,
    )
    const { ticket } = await ticketAt((await send([['email', b]], session)).location)
    const traded = await call('/trade', second, { ticket, key: random() })
    expect(await prefillOf(traded.body.session, second)).to.deep.equal({ email: b })
    expect(await prefillOf(session)).to.deep.equal({ email: a, first_name: 'Ann' })
    expect((await contactWith(a))!.id).not.to.equal((await contactWith(b))!.id)
  })

  it('answers a repeat of the same nonce with the same redirect (cases 35 and 40)', async () => {
    const email = `${random().toLowerCase()}@x.test`
    const session = await newSession()
    const nonce = await nonceFor(session)
    const once = () => submit(first, { nonce, session }, [['email', email]])
    const answers = [...(await Promise.all([once(), once(), once()])), await once()]
    expect(new Set(answers.map(({ location }) => location)).size).to.equal(1)
    expect(answers.map(({ status }) => status)).to.deep.equal([302, 302, 302, 302])
    expect(await submissionsOf((await contactWith(email))!.id)).to.have.length(1)
  })

  it('records the first of two bodies with one nonce alone, however they meet, and leads both to its answer', async () => {
    for (let times = 0; times < 8; times++) {
      const email = `${random().toLowerCase()}@x.test`
      const session = times % 2 === 0 ? await newSession() : undefined
      const nonce = await nonceFor(session)
      const names = ['One', 'Two', 'Three']
      const sendAs = async (name: string) => {
        const form = [
          ['email', email],
          ['first-name', name],
        ] as const
        let answer = await submit(first, { nonce, session }, form)
        while (answer.status === 503) answer = await submit(first, { nonce, session }, form)
        return answer
      }
      const answers = await Promise.all(names.map(sendAs))
      expect(answers.map(({ status }) => status)).to.deep.equal([302, 302, 302])
      expect(new Set(answers.map(({ location }) => location)).size).to.equal(1)
      const contact = await contactWith(email)
      const made = await submissionsOf(contact!.id)
      expect(made).to.have.length(1)
      expect(contact!.first_name).to.equal((made[0]!.data as { 'first-name': string })['first-name'])
      if (session) expect(await prefillOf(session)).to.deep.equal({ email, first_name: contact!.first_name })
    }
  })

  it('is authorised by the nonce, also where the origin is null (case 38)', async () => {
    const nonce = await nonceFor(undefined)
    const form = [['email', `${random().toLowerCase()}@x.test`]] as const
    expect((await submit(first, { nonce: undefined }, form, { origin: 'null' })).status).to.equal(400)
    expect((await submit(first, { nonce: 'x.y' }, form, { origin: 'null' })).status).to.equal(403)
    expect((await submit(first, { nonce }, form, { origin: 'https://evil.example' })).status).to.equal(403)
    expect((await submit({ ...first, url: 'https://evil.example/a' }, { nonce }, form)).status).to.equal(403)
    expect((await submit({ ...first, token: second.token }, { nonce }, form)).status).to.equal(403)
    const older = await newSession()
    const ofNewer = await nonceFor(await newSession())
    expect((await submit(first, { nonce: ofNewer, session: older }, form)).status).to.equal(403)
    expect((await submit(first, { nonce: ofNewer, session: undefined }, form)).status).to.equal(403)
    expect((await submit(first, { nonce }, form, { origin: 'null' })).status).to.equal(302)
  })

  it('leads back with a reason where the address is none, and records nothing (case 34)', async () => {
    const saved = await savedSince(service, tenant)
    const answer = await send([
      ['email', 'not an address'],
      ['name', 'Ann'],
    ])
    expect(answer.status).to.equal(422)
    expect(answer.text).to.contain(`<a href="${first.url}"`).and.contain('e-mail address')
    expect(await saved()).to.deep.equal([])
  })

  it('belongs to the contact of the session, or to nobody, where it has no address (case 34)', async () => {
    const nobody = await send([['name', 'Ann']])
    expect(nobody.status).to.equal(302)
    const [submission] = await listed('/form_submissions?sort_order=desc')
    expect(submission).to.include({ contact_id: null })
    const session = await newSession()
    const email = `${random().toLowerCase()}@x.test`
    await send([['email', email]], session)
    await send([['last-name', 'Lee']], session)
    const contact = await contactWith(email)
    expect(contact).to.include({ last_name: 'Lee' })
    expect(await submissionsOf(contact!.id)).to.have.length(2)
  })

  it('takes at most twenty made-up attributes of a page in a day, and any name (case 71)', async () => {
    const page = (await sdkFunnel(tenant, [`https://attributes.example/${random()}`])).pages[0]!
    const email = `${random().toLowerCase()}@x.test`
    const made = Array.from({ length: 25 }, (_, n) => [`custom-attribute:made up ${n} ${random()}`, 'v'] as const)
    const odd = [
      ['custom-attribute:__proto__', 'p'],
      ['custom-attribute:constructor', 'c'],
      [`custom-attribute:${'long'.repeat(20)}`, 'v'],
      ['custom-attribute:contr\u0007ol', 'v'],
      ['custom-attribute:email_address', 'evil@x.test'],
      ['custom-attribute:', 'v'],
      ['email', 7],
    ] as const
    const answer = await send([['email', email], ...odd, ...made], undefined, page)
    expect(answer.status).to.equal(302)
    const contact = await contactWith(email)
    expect(Object.keys(contact!.custom_attributes as object)).to.have.length(20)
    expect(contact!.custom_attributes).to.include({ constructor: 'c' })
    const [submission] = await submissionsOf(contact!.id)
    expect(Object.keys(submission!.data as object)).to.have.length(21)
  })

  it('trades a ticket for the first browser alone, on its page, within a minute (cases 16 and 17)', async () => {
    const session = await newSession()
    const email = `${random().toLowerCase()}@x.test`
    const { ticket, target } = await ticketAt((await send([['email', email]], session)).location)
    expect(target.startsWith('https://thanks.example/b#top&')).to.equal(true)
    const [mine, other] = [random(), random()]
    const elsewhere = await call('/trade', first, { ticket, key: mine })
    expect([elsewhere.status, elsewhere.body.error.code]).to.deep.equal([403, 'session_invalid'])
    const traded = await call('/trade', second, { ticket, key: mine })
    expect(await prefillOf(traded.body.session, second)).to.deep.equal({ email })
    expect((await call('/trade', second, { ticket, key: mine })).status).to.equal(200)
    const copied = await call('/trade', second, { ticket, key: other })
    expect([copied.status, copied.body.error.code]).to.deep.equal([403, 'session_invalid'])
    expect((await call('/trade', second, { ticket: `${ticket}x`, key: mine })).status).to.equal(403)
    expect(await prefillOf(traded.body.session, second)).to.deep.equal({ email })
  })

  it('13b 37: refuses a ticket that is older than a minute by the clock of its workspace', async () => {
    const clocked = await service.tenant({ test: true })
    const { pages } = await sdkFunnel(clocked, ['https://old.example/a', 'https://old.example/b'])
    const [from, to] = [pages[0]!, pages[1]!]
    const session = await newSession(from)
    const { ticket } = await ticketAt((await send([['email', 'late@x.test']], session, from)).location)
    const clock = `/workspaces/${clocked.workspaceId}/test_clock`
    const passes = async (minutes: number) => {
      const { now } = ok(await clocked.api.get(clock))
      ok(await clocked.api.post(clock, { to: new Date(Date.parse(now) + minutes * 60_000).toISOString() }))
      while (ok(await clocked.api.get(clock)).state === 'advancing') await new Promise((go) => setTimeout(go, 10))
    }
    const key = random()
    await passes(0.5)
    expect((await call('/trade', to, { ticket, key })).status).to.equal(200)
    await passes(1)
    const late = await call('/trade', to, { ticket, key })
    expect([late.status, late.body.error.code]).to.deep.equal([403, 'session_invalid'])
    const fresh = await call('/visits', to, visit())
    expect(await prefillOf(fresh.body.session, to)).to.deep.equal({})
  })

  it('leads nobody who is known into the session of a stranger', async () => {
    const known = await newSession(second)
    await send([['email', `victim${random().toLowerCase()}@x.test`]], known, second)
    const attacker = await newSession()
    const { ticket } = await ticketAt((await send([['email', 'attacker@x.test']], attacker)).location)
    const { body } = await call('/trade', second, { ticket, key: random(), session: known })
    expect(body.session).to.equal(known)
  })

  it('keeps what visitors typed from everybody without the secret of their session', async () => {
    const session = await newSession()
    await send([['email', `${random().toLowerCase()}@x.test`]], session)
    for (const secret of [undefined, '', 'x', `${session}x`, { $gt: '' }]) {
      const { status, body } = await call('/prefill', first, { session: secret })
      expect([status, body.error.code]).to.deep.equal([403, 'session_invalid'])
    }
    const answer = await call('/prefill', first, { session })
    expect(answer.headers.get('cache-control')).to.contain('no-store')
  })

  it('joins the visits of a new browser to the contact (case 20)', async () => {
    const email = `${random().toLowerCase()}@x.test`
    for (const source of ['mail', 'ads']) {
      const { session } = (await call('/visits', first, visit({ search: `?utm_source=${source}` }))).body
      await send([['email', email]], session)
    }
    await send([['email', email]], await newSession())
    await service.caughtUp()
    const { id } = (await contactWith(email))!
    const { visits } = ok(await tenant.api.get(`/contacts/${id}`)) as unknown as {
      visits: Record<string, Record<string, unknown>>
    }
    expect(visits.first_visit).to.include({ utm_source: 'mail', landing_page: first.url, device_type: 'desktop' })
    expect(visits.last_visit).to.include({ utm_source: null })
    expect(visits.last_visit_with_utm).to.include({ utm_source: 'ads' })
    expect(visits.first_visit!.ip).to.be.a('string')
  })

  it('erases sessions with their contact', async () => {
    const email = `${random().toLowerCase()}@x.test`
    const session = await newSession()
    await send([['email', email]], session)
    const { id } = (await contactWith(email))!
    ok(await tenant.api.delete(`/contacts/${id}/gdpr_destroy`))
    const { vault, readModels } = service.background.stores
    const { live } = readModels
    let document: Awaited<ReturnType<typeof live.find>>[number] | undefined
    for (let tries = 0; tries < 200 && document?.erased !== true; tries++) {
      await new Promise((go) => setTimeout(go, 20))
      ;[document] = await live.find('visits/session', { where: { contact_id: Number(id) }, limit: 1 })
    }
    expect(document).to.include({ erased: true, personal: null })
    const sealing = async () => vault.seal(Number(document!.key_number), {})
    let refused: unknown
    for (let tries = 0; tries < 200 && !refused; tries++) {
      refused = await sealing().then(
        () => undefined,
        (error: unknown) => error,
      )
      if (!refused) await new Promise((go) => setTimeout(go, 20))
    }
    expect(String(refused)).to.contain('erased')
    expect((await call('/prefill', first, { session })).status).to.equal(403)
    const again = await call('/visits', first, { session, consent: true, visit: viewed() })
    expect(again.body.session).to.be.a('string').and.not.equal(session)
    expect((await send([['email', email]], again.body.session)).status).to.equal(302)
    expect((await contactWith(email))!.id).not.to.equal(id)
  })

  it('refuses pages of no funnel', async () => {
    const alone = await standalonePage(tenant, `https://alone.example/${random()}`)
    const { status, body } = await call('/nonce', alone)
    expect([status, body.error.code]).to.deep.equal([422, 'page_not_in_funnel'])
  })

  it('saves nothing in a preview, and says so', async () => {
    const testing = await sdkFunnel(tenant, ['https://testing.example/1', 'https://testing.example/2'], false)
    const page = { ...testing.pages[0]!, url: 'http://localhost:5173/1', origin: 'http://localhost:5173' }
    await service.caughtUp()
    const saved = await savedSince(service, tenant)
    const answer = await send([['email', 'preview@x.test']], undefined, page)
    expect([answer.status, answer.location!.startsWith(`${service.sdkUrl}/preview/`)]).to.deep.equal([302, true])
    const html = await (await fetch(answer.location!)).text()
    expect(html)
      .to.contain('Nothing was saved')
      .and.contain('http://localhost:5173/2')
      .and.contain('https://testing.example/2')
    expect((await call('/trade', page, { ticket: 'x', key: random() })).body).to.deep.equal({ ok: true })
    expect((await call('/prefill', page, {})).body).to.deep.equal({ ok: true, fields: {} })
    expect(await saved()).to.deep.equal([])
  })

  it('redirects nowhere that it did not choose itself, and falls over nothing', async () => {
    for (const path of [
      '/next/x',
      '/next/',
      '/next/x.y',
      '/preview/https://evil.example',
      '/next/%00',
      '/next/a.b.c',
    ]) {
      const response = await fetch(service.sdkUrl + path, { redirect: 'manual' })
      expect(response.status, path).to.equal(404)
      expect(response.headers.get('refresh')).to.equal(null)
    }
    const nonce = await nonceFor(undefined)
    const odd = ['', '{}', 'null', '[[1]]', '[', JSON.stringify([['email', 'x'.repeat(50_000)]])]
    for (const data of odd) {
      const response = await fetch(`${service.sdkUrl}/submit`, {
        ...{ method: 'POST', redirect: 'manual', headers: { origin: first.origin } },
        body: new URLSearchParams({ token: first.token, url: first.url, nonce, data }),
      })
      expect(response.status, data.slice(0, 20)).to.be.within(302, 422)
    }
    const large = new URLSearchParams({ token: first.token, url: first.url, nonce, data: 'x'.repeat(1024 * 1024) })
    const refused = await fetch(`${service.sdkUrl}/submit`, { method: 'POST', redirect: 'manual', body: large })
    expect(refused.status).to.equal(400)
    expect((await fetch(`${service.sdkUrl}/submit`, { method: 'POST', body: '\uFFFF%%%=&&&' })).status).to.equal(400)
  })
})
