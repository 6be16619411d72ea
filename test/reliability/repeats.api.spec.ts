import { expect } from 'chai'
import { recordMakers } from '../support/records.ts'
import { type Tenant, type TestService, testService } from '../support/service.ts'

const AT_ONCE = 12

describe('requests repeated under one idempotency key', () => {
  let service: TestService
  let tenant: Tenant
  before(async () => {
    service = await testService()
    tenant = await service.tenant({ test: true })
  })

  const key = (value: string) => ({ headers: { 'idempotency-key': value } })

  /** Children are in the stream of their parent, so the first request has already written to it when the second one is decided. */
  const children: Readonly<Record<string, () => Promise<readonly [path: string, body: object]>>> = {
    note: async () => {
      const id = await recordMakers['sales/opportunity']!.make(tenant)
      return [`/sales/opportunities/${id}/notes`, { sales_opportunities_note: { content: 'Once' } }]
    },
    stage: async () => {
      const id = await recordMakers['sales/pipeline']!.make(tenant)
      return [`/sales/pipelines/${id}/stages`, { sales_pipelines_stage: { name: 'Once', close_probability: 50 } }]
    },
    'applied tag': async () => {
      const tag_id = await recordMakers['contacts/tag']!.make(tenant)
      const id = await recordMakers.contact!.make(tenant)
      return [`/contacts/${id}/applied_tags`, { contacts_applied_tag: { tag_id } }]
    },
  }

  for (const [name, prepare] of Object.entries(children)) {
    it(`make one ${name}, also when they come at once`, async () => {
      const [path, body] = await prepare()
      const before = (await tenant.api.get(path)).body.length
      const once = () => tenant.api.post(path, body, key(`child ${name}`))
      const answers = [...(await Promise.all(Array.from({ length: AT_ONCE }, once))), await once()]
      expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 201))
      expect(new Set(answers.map((answer) => answer.body.id)).size).to.equal(1)
      expect((await tenant.api.get(path)).body).to.have.length(before + 1)
    })
  }

  it('finish an erasure that was cut off before the key was destroyed', async () => {
    const { vault, log } = service.background.stores
    const id = await recordMakers.contact!.make(tenant)
    const sealed: string[] = []
    for await (const { data } of log.readStream(`contact-${id}`))
      if (typeof data.personal === 'string') sealed.push(data.personal)
    expect(await vault.open(id, sealed[0]!)).to.include({ first_name: 'Ada' })
    const destroy = vault.destroy
    vault.destroy = () => Promise.reject(new Error('cut off'))
    const erase = () => tenant.api.call('DELETE', `/contacts/${id}/gdpr_destroy`, undefined, key('erase'))
    await erase().then(
      () => expect.fail('the erasure was acknowledged although the key is there'),
      () => undefined,
    )
    vault.destroy = destroy
    expect((await erase()).status).to.equal(204)
    expect(await vault.open(id, sealed[0]!)).to.equal(null)
  })
})
