import { expect } from 'chai'
import { mailing as mailingModel } from '../../../domain/emails/public.ts'
import { until } from '../../support/eventually.ts'
import { type SinkAnswer, startSink } from '../../support/servers/smtp-sink.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'
import { begin, createContacts, deliveriesOf, settledOf, statusesOf } from './mailing-tenant.ts'

describe('refusals that are not about the mailbox', () => {
  let service: TestService
  let tenant: Tenant
  let sink: Awaited<ReturnType<typeof startSink>>
  let asked = 0
  let answer: (address: string) => SinkAnswer | undefined = () => undefined

  before(async () => {
    sink = await startSink({
      recipient(address) {
        asked++
        return answer(address)
      },
    })
    service = await startTestService({ SMTP_URL: sink.url })
    tenant = await service.tenant()
  })
  after(() => sink.stop())

  const people = (name: string, count: number) =>
    createContacts(
      tenant,
      Array.from({ length: count }, (_, n) => `p${n}@${name}${n % 2}.example`),
    )
  const mailing = async (id: number) => service.background.stores.readModels.live.get(mailingModel.name, id)
  const suppressed = async (ids: readonly number[]) =>
    (await service.background.stores.readModels.live.getMany('contact', ids)).filter(
      (one) => one?.email_suppression_reason !== null,
    )

  const REFUSALS = [
    ['relay', '550 relay not permitted'],
    ['listed', '550 host mail.shop.example [192.0.2.4] is in an RBL'],
    ['sender', '550 Sender verify failed'],
    ['refused_all', '550 Nope'],
    ['refused_all', '550 5.7.1 Administrative prohibition'],
  ] as const

  for (const [index, [fault, said]] of REFUSALS.entries())
    it(`pause after a few, and suppress nobody: ${said}`, async () => {
      answer = () => ({ code: Number(said.slice(0, 3)), text: said.slice(4) })
      asked = 0
      const ids = await people(`list${index}x`, 80)
      const id = await begin(tenant, ids)
      await until(async () => (await mailing(id))?.status === 'paused')
      expect(await mailing(id)).to.include({ status_reason: fault, pauses: 1 })
      expect(asked, 'recipients that were tried').to.be.within(3, 20)
      await waitUntilSettled(service)
      expect(await suppressed(ids)).to.deep.equal([])
      const statuses = statusesOf(await deliveriesOf(service, id))
      expect(statuses).not.to.include('bounced')
      expect(statuses.filter((status) => status === 'waiting').length).to.be.at.least(60)
    })

  it('hold up nobody else where one recipient meets them alone', async () => {
    answer = (address) =>
      address.startsWith('odd')
        ? { code: 550, text: 'Client host [192.0.2.4] blocked using odd.rbl.example' }
        : undefined
    const ids = await createContacts(tenant, [
      'odd@odd.example',
      ...Array.from({ length: 12 }, (_, n) => `fine${n}@fine${n % 3}.example`),
    ])
    const id = await begin(tenant, ids)
    await until(async () => (await deliveriesOf(service, id)).filter(({ status }) => status === 'sent').length === 12)
    const [odd] = await deliveriesOf(service, id)
    expect(odd).to.include({ status: 'waiting', attempts: 1, reason: 'listed' })
    expect(await mailing(id)).to.include({ status: 'open', pauses: 0 })
    expect(await suppressed(ids)).to.deep.equal([])
  })

  it('are mails that failed, and addresses that stay, where a domain is not found', async () => {
    answer = () => ({ code: 550, text: '5.1.2 Recipient address rejected: Domain not found' })
    const ids = await createContacts(tenant, ['ann@nowhere.example'])
    expect((await settledOf(service, await begin(tenant, ids)))[0]).to.include({
      status: 'failed',
      reason: 'no_domain',
    })
    await waitUntilSettled(service)
    expect(await suppressed(ids)).to.deep.equal([])
  })

  it('come after those that name the mailbox', async () => {
    answer = () => ({ code: 550, text: 'No such user here' })
    const ids = await createContacts(tenant, ['gone@known.example'])
    expect((await settledOf(service, await begin(tenant, ids)))[0]).to.include({ status: 'bounced' })
    await until(async () => (await suppressed(ids)).length === 1)
  })
})
