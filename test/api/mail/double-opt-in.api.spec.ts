import { expect } from 'chai'
import { contact, contacts } from '../../../domain/contacts/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { ok } from '../../support/client.ts'
import { destinationsIn } from '../../support/destinations.ts'
import { keptMails, owedMails } from '../../support/owed-mails.ts'
import { callOf, type SdkFunnel, type SdkPage, sdkFunnel, submitOf, visit } from '../../support/sdk-pages.ts'
import { passes } from '../../support/sdk-shop.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'
import { begin, settledOf } from '../../workers/mail/mailing-tenant.ts'
import { hostedSite } from '../pages-host/support.ts'
import { workflowOf } from '../workflows/making.ts'
import { addTags, enrolling } from '../workflows/runs/enrolled.ts'

describe('double opt-in', () => {
  let service: TestService
  let tenant: Tenant
  let funnel: SdkFunnel
  let page: SdkPage
  let people = 0

  before(async () => {
    service = await testService()
    tenant = await service.tenant({ test: true })
    funnel = await sdkFunnel(tenant, ['https://double.example/a', 'https://double.example/b'], false)
    page = funnel.pages[0]!
    expect(ok(await tenant.api.get(`/pages/${page.id}/opt_in`))).to.deep.equal({ double: false, next_page_id: null })
    const opt_in = { double: true }
    expect(ok(await tenant.api.put(`/pages/${page.id}/opt_in`, { opt_in }))).to.deep.equal({
      double: true,
      next_page_id: null,
    })
    await service.caughtUp()
    expect(ok(await tenant.api.get(`/pages/${page.id}/opt_in`))).to.deep.equal({ double: true, next_page_id: null })
  })

  const someone = () => `reader${++people}@double.example`
  const submit = async (email: string, more: readonly (readonly [string, string])[] = [], at = page) => {
    const { body } = await callOf(service)('/visits', at, visit())
    const nonce = (await callOf(service)('/nonce', at, { session: body.session })).body.nonce
    const sent = await submitOf(service)(at, { nonce, session: body.session }, [['email', email], ...more])
    await waitUntilSettled(service)
    return sent
  }
  const contactWith = async (email: string) => {
    const path = `/workspaces/${tenant.workspaceId}/contacts?filter[email_address]=${encodeURIComponent(email)}`
    const [found] = ok(await tenant.api.get(path)) as unknown as { id: number; unsubscribed_at: string | null }[]
    return found!
  }
  const recordOf = async (email: string) => {
    const { id } = await contactWith(email)
    return (await service.background.core.engine.records(contacts, id, -1)).root(contact)!
  }
  const asked = async (email: string) =>
    (await keptMails(service, tenant, 'opt_in_confirmation')).filter(({ to }) => to.address === email)
  const linkIn = async (email: string): Promise<string> =>
    destinationsIn((await asked(email)).at(-1)?.html ?? '')[0] ?? ''
  const confirm = async (email: string) => {
    const answer = await fetch(await linkIn(email), { method: 'POST', body: 'act=confirm' })
    await waitUntilSettled(service)
    return answer.text()
  }
  const eventsAfter = async (position: number): Promise<readonly string[]> => {
    const types: string[] = []
    for await (const { type } of service.background.stores.log.readAll({ after: position })) types.push(type)
    return types
  }

  it('14 19: until confirmed a contact gets the confirmation mail and nothing else', async () => {
    const email = someone()
    await submit(email)
    expect(await asked(email)).to.have.length(1)
    const { id } = await contactWith(email)
    expect((await settledOf(service, await begin(tenant, [id])))[0]?.status).to.equal('unconfirmed')
    expect(await confirm(email)).to.contain('is confirmed')
    expect((await settledOf(service, await begin(tenant, [id])))[0]?.status).to.equal('kept')
  })

  it('14 11: fetching the link confirms nothing; its button does', async () => {
    const email = someone()
    await submit(email)
    const url = await linkIn(email)
    const before = await service.background.stores.log.lastPosition()
    for (const method of ['GET', 'HEAD', 'GET']) expect((await fetch(url, { method })).status).to.equal(200)
    expect(await (await fetch(url)).text())
      .to.contain('<form method="post">')
      .and.contain('Confirm')
    await waitUntilSettled(service)
    expect(await eventsAfter(before)).to.deep.equal([])
    expect((await recordOf(email)).unconfirmed).to.equal(true)
    await confirm(email)
    expect((await recordOf(email)).unconfirmed).to.equal(false)
    expect(await (await fetch(url)).text())
      .to.contain('is confirmed')
      .and.not.contain('<form')
    const last = await service.background.stores.log.lastPosition()
    await confirm(email)
    expect(await eventsAfter(last)).to.deep.equal([])
  })

  it('a mail to a former address confirms nothing of the present one', async () => {
    const [email, other] = [someone(), someone()]
    await submit(email)
    const url = await linkIn(email)
    const { id } = await contactWith(email)
    ok(await tenant.api.put(`/contacts/${id}`, { contact: { email_address: other } }))
    await service.caughtUp()
    expect((await fetch(url)).status).to.equal(404)
    expect((await fetch(url, { method: 'POST', body: 'act=confirm' })).status).to.equal(404)
    await waitUntilSettled(service)
    expect((await recordOf(other)).unconfirmed).to.equal(true)
  })

  it('14 19: form_submission.created is published at the submission, $optin and its workflows at the confirmation', async () => {
    const email = someone()
    const on = enrolling(tenant)
    const workflow = await workflowOf(tenant)
    await workflow.trigger({ event_type_key: '$optin', page_id: page.id })
    await workflow.step(addTags(await on.make('contacts/tag')))
    ok(await workflow.enable())
    const before = await service.background.stores.log.lastPosition()
    await submit(email)
    expect(await eventsAfter(before))
      .to.include('PageFormSubmitted')
      .and.not.include('ContactOptedIn')
    expect(await on.runsOf(workflow)).to.deep.equal([])
    const submitted = await service.background.stores.log.lastPosition()
    await confirm(email)
    expect(await eventsAfter(submitted))
      .to.include('PageFormConfirmed')
      .and.include('ContactOptedIn')
    expect((await recordOf(email)).opted_in_page_ids).to.deep.equal([page.id])
    await on.runIn(workflow, 'completed')
    ok(await workflow.disable())
  })

  it('14 20: submitting again asks anew, at most once in 10 minutes and 3 times a day; the page answers the same', async () => {
    const [known, unknown, gone] = [someone(), someone(), someone()]
    for (const email of [known, gone]) {
      await submit(email)
      await confirm(email)
    }
    await tenant.carryOut!(ask(contacts, (await contactWith(gone)).id, 'unsubscribe', {}))
    const answers = await Promise.all([known, unknown, gone].map((email) => submit(email)))
    const withoutTicket = (text: string | null) => text?.replace(/\/next\/[\w.-]+/g, '/next/')
    const shapes = answers.map(({ status, text, location }) => [status, withoutTicket(text), withoutTicket(location)])
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).to.equal(1)
    expect(await asked(unknown)).to.have.length(1)
    await submit(unknown.toUpperCase())
    expect(await asked(unknown)).to.have.length(1)
    for (const [minutes, mails] of [
      [9, 1],
      [2, 2],
      [11, 3],
      [60, 3],
      [12 * 60, 3],
      [13 * 60, 4],
    ] as const) {
      await passes(tenant, minutes)
      await submit(unknown)
      expect(await asked(unknown), `after ${minutes} minutes`).to.have.length(mails)
    }
  })

  it('14 21: a confirmed, active contact who submits again stays active, and opts in at once', async () => {
    const email = someone()
    await submit(email)
    await confirm(email)
    await passes(tenant, 11)
    const before = await service.background.stores.log.lastPosition()
    await submit(email)
    expect((await recordOf(email)).unconfirmed).to.equal(false)
    expect(await asked(email)).to.have.length(1)
    expect(await eventsAfter(before))
      .to.include('PageFormSubmitted')
      .and.not.include('ContactConfirmationAsked')
  })

  it('14 22: the mail repeats nothing that was typed, not even where the workspace has written it', async () => {
    const typed = 'WIN 1000 USD http://x.example'
    const path = `/workspaces/${tenant.workspaceId}/emails/owed_templates`
    const own = {
      subject: '{{ contact.first_name }} confirm',
      html_body: '{{ contact.first_name }}<a href="{{ url }}">Yes</a>',
    }
    const emails_owed_template = { kind: 'opt_in_confirmation', locale: 'en', ...own }
    const [standard, written] = [someone(), someone()]
    await submit(standard, [
      ['first-name', typed],
      ['last-name', typed],
      ['custom-attribute:Prize', typed],
    ])
    const { id } = ok(await tenant.api.post(path, { emails_owed_template }))
    await submit(written, [['first-name', typed]])
    ok(await tenant.api.delete(`/emails/owed_templates/${id}`))
    for (const email of [standard, written]) {
      const [mail] = await asked(email)
      expect(JSON.stringify(mail)).to.not.contain('WIN').and.not.contain('x.example')
      expect(mail?.to.name).to.equal('')
    }
  })

  it('14 5: an unsubscribed contact comes back by a confirmed double opt-in, with time, form and page on record', async () => {
    const email = someone()
    await submit(email)
    await confirm(email)
    const { id } = await contactWith(email)
    await tenant.carryOut!(ask(contacts, id, 'unsubscribe', {}))
    await passes(tenant, 11)
    await submit(email)
    expect((await contactWith(email)).unsubscribed_at).to.be.a('string')
    expect(await (await fetch(await linkIn(email))).text()).to.contain('<form')
    const before = await service.background.stores.log.lastPosition()
    await confirm(email)
    expect((await contactWith(email)).unsubscribed_at).to.equal(null)
    const back: unknown[] = []
    for await (const { type, data, metadata } of service.background.stores.log.readAll({ after: before }))
      if (type === 'ContactResubscribed') back.push({ ...data, at: metadata.at.length })
    const [mail] = (await owedMails(service, tenant, 'opt_in_confirmation')).slice(-1)
    const { form_submission_id } = mail!.mailing.values
    expect(back).to.deep.equal([{ by: 'opt_in', form_submission_id, page_id: page.id, at: 24 }])
  })

  it('14 19: asks on hosted pages too', async () => {
    const own = await service.tenant({ test: true })
    const site = await hostedSite(service, own)
    const { id } = await site.funnel('Hosted')
    const step = await site.step(id, '/join', { markup: '<input type="email"/><button>Go</button>' })
    ok(await own.api.put(`/pages/${step.id}/opt_in`, { opt_in: { double: true } }))
    await service.caughtUp()
    const path = new URL(step.url).pathname
    const token = /cf-page-token" content="([^"]+)"/.exec((await site.get(path)).text)![1]!
    const origin = `http://${site.host}`
    const hosted = { id: step.id, token, url: origin + path, origin }
    const email = someone()
    expect((await submit(email, [], hosted)).status).to.equal(302)
    const [mail] = await keptMails(service, own, 'opt_in_confirmation')
    expect(mail?.to.address).to.equal(email)
  })

  it('14 4: a form without double opt-in ends no unsubscription', async () => {
    const email = someone()
    const other = funnel.pages[1]!
    await submit(email, [], other)
    expect(await asked(email)).to.have.length(0)
    const { id } = await contactWith(email)
    await tenant.carryOut!(ask(contacts, id, 'unsubscribe', {}))
    await submit(email, [], other)
    expect((await contactWith(email)).unsubscribed_at).to.be.a('string')
  })
})
