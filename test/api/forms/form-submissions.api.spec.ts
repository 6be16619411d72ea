import { expect } from 'chai'
import { formSubmissions, submissionByNonce } from '../../../domain/forms/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { keyOfSession } from '../../../domain/kernel/model/personal.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { sentFromPage } from '../../support/records/forms.ts'
import { recordMakers } from '../../support/records.ts'
import { type Received, startReceiver } from '../../support/servers/receiver.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'

type Wanted = Partial<ReturnType<typeof sentFromPage>> & { readonly session_id?: number; readonly funnel_id?: number }

describe('submissions of pages over REST', () => {
  let service: TestService
  let tenant: Tenant
  let page: number
  before(async () => {
    service = await startTestService({ MILLRACE_ALLOW_PRIVATE_TARGETS: '1' })
  })
  beforeEach(async () => {
    tenant = await service.tenant()
    page = await recordMakers.page!.make(tenant)
  })

  const contact = () => recordMakers.contact!.make(tenant)
  const submit = (data: Readonly<Record<string, string>>, more: Wanted = {}) =>
    tenant.carryOut!(ask(formSubmissions, 'new', 'create', { ...sentFromPage(page, null, data), ...more }))
  const show = async (id: number) => (await tenant.api.get(`/form_submissions/${id}`)).body
  const listed = async (query = '') =>
    (await tenant.api.get(`/workspaces/${tenant.workspaceId}/form_submissions${query}`)).body.map(
      ({ id }: { id: number }) => id,
    )

  it('show what was sent, and nothing that is for the service alone', async () => {
    const contact_id = await contact()
    const id = await submit({ email: 'ada@example.com', 'Shoe size': '38' }, { contact_id, session_id: 2 ** 45 })
    const { public_id, created_at, updated_at, ...shown } = await show(id)
    expect(shown).to.deep.equal({
      id,
      workspace_id: tenant.workspaceId,
      contact_id,
      page_id: page,
      data: { email: 'ada@example.com', 'Shoe size': '38' },
    })
    expect([public_id, created_at, updated_at].every((value) => typeof value === 'string')).to.equal(true)
  })

  it('are listed, and narrowed by id, page and contact', async () => {
    const other = await recordMakers.page!.make(tenant)
    const [ada, bob] = [await contact(), await contact()]
    const first = await submit({}, { contact_id: ada })
    const second = await submit({}, { contact_id: bob, page_id: other })
    const third = await submit({}, { contact_id: null })
    expect(await listed()).to.deep.equal([first, second, third])
    expect(await listed('?sort_order=desc')).to.deep.equal([third, second, first])
    expect(await listed(`?filter[id]=${first},${third}`)).to.deep.equal([first, third])
    expect(await listed(`?filter[page_id]=${other}`)).to.deep.equal([second])
    expect(await listed(`?filter[contact_id]=${ada},${bob}`)).to.deep.equal([first, second])
  })

  it('stay when their page is deleted', async () => {
    const id = await submit({ name: 'Ada' })
    expect((await tenant.api.delete(`/pages/${page}`)).status).to.equal(204)
    expect(await show(id)).to.deep.include({ page_id: page, data: { name: 'Ada' } })
  })

  it('case 34: without an address belong to nobody, and are not made one person', async () => {
    const ids = [await submit({ name: 'Ada' }), await submit({ name: 'Ada' })]
    for (const id of ids) expect(await show(id)).to.deep.include({ contact_id: null, data: { name: 'Ada' } })
    expect((await tenant.api.get(`/workspaces/${tenant.workspaceId}/contacts`)).body).to.deep.equal([])
  })

  it('case 71: keep data with the names of object properties', async () => {
    const sent = JSON.parse('{"__proto__":"p","constructor":"c"}') as Record<string, string>
    const id = await submit(sent)
    expect(JSON.stringify((await show(id)).data)).to.equal('{"__proto__":"p","constructor":"c"}')
  })

  it('lose their data with their contact, or with the session in which nobody was known', async () => {
    const contact_id = await contact()
    const [known, unknown] = [await submit({ name: 'Ada' }, { contact_id }), await submit({ name: 'Bob' })]
    const session = { session_id: 2 ** 45 + 1 }
    const [before, after] = [await submit({ name: 'Cleo' }, session), await submit({ name: 'Cleo' }, session)]
    await tenant.api.delete(`/contacts/${contact_id}/gdpr_destroy`)
    expect(await show(known)).to.deep.include({ contact_id, page_id: page, data: {} })
    expect((await show(before)).data).to.deep.equal({ name: 'Cleo' })
    await service.background.stores.vault.destroy(keyOfSession(session.session_id))
    expect((await show(after)).data).to.deep.equal({})
    expect((await show(unknown)).data).to.deep.equal({ name: 'Bob' })
  })

  it('are empty for a token that may not see contacts', async () => {
    const id = await submit({ name: 'Ada' })
    const blind = await tenant.withScopes(['forms:read'])
    const { status, body } = await blind.get(`/form_submissions/${id}`)
    expect([status, body.data]).to.deep.equal([200, {}])
  })

  it('take a nonce once, also at the same moment', async () => {
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => submit({}, { nonce: 'once' })))
    const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as Refusal] : []))
    expect(refused.length).to.equal(4)
    for (const one of refused) {
      expect(one).to.be.instanceOf(Refusal)
      expect(one.details).to.deep.include.members([
        { field: 'nonce', code: 'taken', message: 'Nonce has already been taken' },
      ])
    }
    const [id] = await listed()
    expect(await listed()).to.deep.equal([id])
    const by = { log: service.background.stores.log, engine: service.background.core.engine }
    const found = await submissionByNonce(by, tenant.workspaceId, 'once')
    expect([found?.id, found?.next.url]).to.deep.equal([id, 'https://example.com/thanks'])
    expect(await submissionByNonce(by, tenant.workspaceId, 'never')).to.equal(undefined)
  })

  it('publish form_submission.created, and $optin when they come from a page', async () => {
    const receiver = await startReceiver()
    try {
      const fields = { url: receiver.url, name: 'Test', event_type_ids: ['form_submission.created', '$optin'] }
      const path = `/workspaces/${tenant.workspaceId}/webhooks/outgoing/endpoints`
      await tenant.api.post(path, { webhooks_outgoing_endpoint: fields })
      const contact_id = await contact()
      const id = await submit({ email: 'ada@example.com' }, { contact_id })
      const all = await receiver.until(2)
      await submit({ email: 'bob@example.com' }, { page_id: null })
      const types = (received: readonly Received[]) => received.map(({ json }) => json.event_type).sort()
      expect(types(all)).to.deep.equal(['$optin', 'form_submission.created'])
      expect(types(await receiver.until(3)).filter((type) => type === '$optin').length).to.equal(1)
      for (const { json } of all) {
        expect(json).to.deep.include({ subject_id: id, subject_type: 'FormSubmission', page_id: page })
        expect(json.details).to.deep.equal({ page_id: page, contact_id })
        expect(json.data).to.deep.equal(await show(id))
      }
    } finally {
      await receiver.close()
    }
  })

  it('are named among the types of events', async () => {
    const { body } = await tenant.api.get('/webhooks/outgoing/event_types')
    const named = (id: string) => body.find((one: { id: string }) => one.id === id)
    expect(named('$optin')).to.deep.include({ topic: 'optin', subject_type: 'FormSubmission', active: true })
    expect(named('form_submission.created')).to.deep.include({ alias: '$form_submission.created', active: true })
  })
})
