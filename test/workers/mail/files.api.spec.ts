import { expect } from 'chai'
import { contacts } from '../../../domain/contacts/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { readKept } from '../../../infra/mail/files.ts'
import { ok } from '../../support/client.ts'
import { startSink } from '../../support/servers/smtp-sink.ts'
import { startTestService, type Tenant, type TestService, testService } from '../../support/service.ts'
import { begin, CONTENT, createContacts, OWED, settledOf, statusesOf } from './mailing-tenant.ts'

describe('mails that are kept as files', () => {
  let service: TestService
  let tenant: Tenant

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
  })

  it('keeps every mail of a mailing where no server is configured', async () => {
    const ids = await createContacts(tenant, ['k1@files.example', 'k2@files.example'])
    const mailing = await begin(tenant, ids)
    const deliveries = await settledOf(service, mailing)
    expect(statusesOf(deliveries)).to.deep.equal(['kept', 'kept'])
    const kept = await readKept(service.background.stores, mailing, deliveries[0]!.id)
    expect(kept?.subject).to.equal('News for Ann')
    expect(kept?.to.address).to.equal('k1@files.example')
  })

  it('14 1: owed mail goes to an unsubscribed contact too, without List-Unsubscribe and marketing footer; marketing does not', async () => {
    const [id = 0] = await createContacts(tenant, ['gone@files.example'])
    await tenant.carryOut!(ask(contacts, id, 'unsubscribe', {}))
    const owed = await begin(tenant, [id], { class: 'owed', kind: 'order_confirmation', content: OWED })
    const [delivery] = await settledOf(service, owed)
    expect(delivery?.status).to.equal('kept')
    const kept = await readKept(service.background.stores, owed, delivery!.id)
    expect(kept?.source).not.to.match(/List-Unsubscribe/i)
    expect(kept?.text).not.to.contain('Unsubscribe')
    const [marketing] = await settledOf(service, await begin(tenant, [id]))
    expect(marketing?.status).to.equal('unsubscribed')
  })

  it('14 1: a suppressed contact gets no marketing mail, and one whose address does not exist gets nothing', async () => {
    const [id = 0] = await createContacts(tenant, ['bad@files.example'])
    await tenant.carryOut!(ask(contacts, id, 'suppress', { reason: 'bounced' }))
    expect(statusesOf(await settledOf(service, await begin(tenant, [id])))).to.deep.equal(['suppressed'])
    expect(
      statusesOf(await settledOf(service, await begin(tenant, [id], { class: 'owed', content: OWED }))),
    ).to.deep.equal(['suppressed'])
  })

  it('14 57: a template beyond its bounds fails the recipients, over all parts together', async () => {
    const ids = await createContacts(tenant, ['loop@files.example'])
    const loop = '{% for i in (1..9000) %}{% for j in (1..9000) %}x{% endfor %}{% endfor %}'
    const [delivery] = await settledOf(service, await begin(tenant, ids, { content: { ...CONTENT, text_body: loop } }))
    expect(delivery?.status).to.equal('failed')
    expect(delivery?.reason).to.equal('rendering')
  })

  it('14 10: hundreds of contacts at the head who get nothing do not end a mailing', async () => {
    const some = await createContacts(
      tenant,
      Array.from({ length: 200 }, (_, index) => `n${index}@none.example`),
    )
    for (const id of some) await tenant.carryOut!(ask(contacts, id, 'unsubscribe', {}))
    const [last = 0] = await createContacts(tenant, ['last@files.example'])
    const statuses = statusesOf(await settledOf(service, await begin(tenant, [...some, last])))
    expect(statuses.filter((status) => status === 'unsubscribed')).to.have.length(200)
    expect(statuses.at(-1)).to.equal('kept')
  })

  it('14 106: erasing a person erases the kept mail; the others stay readable', async () => {
    const [erased = 0, other = 0] = await createContacts(tenant, ['erased@files.example', 'other@files.example'])
    const mailing = await begin(tenant, [erased, other])
    const [first, second] = await settledOf(service, mailing)
    ok(await tenant.api.delete(`/contacts/${erased}/gdpr_destroy`))
    const { stores } = service.background
    expect(await readKept(stores, mailing, first!.id)).to.equal(undefined)
    expect((await readKept(stores, mailing, second!.id))?.to.address).to.equal('other@files.example')
    expect(JSON.stringify(await settledOf(service, mailing))).not.to.contain('erased@files.example')
    expect(statusesOf(await settledOf(service, await begin(tenant, [erased])))).to.deep.equal(['deleted'])
  })

  it('14 48: mail of a test workspace is never handed to a server, whatever is configured', async () => {
    const sink = await startSink()
    const own = await startTestService({ SMTP_URL: sink.url })
    const test = await own.tenant({ test: true })
    const ids = await createContacts(test, ['real@person.example'])
    expect(statusesOf(await settledOf(own, await begin(test, ids)))).to.deep.equal(['kept'])
    expect(sink.arrived).to.have.length(0)
    await sink.stop()
  })
})
