import { expect } from 'chai'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { eventually } from '../../support/eventually.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'
import { createdBody } from '../../support/traffic/funnels.ts'

const DAY_MS = 24 * 60 * 60_000
const TAKEN = 'Request unprocessable: Subdomain has already been taken'

describe('a subdomain that was given up', () => {
  let service: TestService
  let former: Tenant
  let other: Tenant
  before(async () => {
    service = await testService()
    ;[former, other] = [await service.tenant({ test: true }), await service.tenant()]
  })

  const own = ({ workspaceId }: Tenant) => `/workspaces/${workspaceId}`
  const nameOf = async (tenant: Tenant) => createdBody(await tenant.api.get(own(tenant))).subdomain
  const take = (tenant: Tenant, subdomain: string) => tenant.api.put(own(tenant), { workspace: { subdomain } })
  const opening = async (subdomain: string) => {
    const wanted = { name: 'New', subdomain, currency: 'USD' }
    try {
      return await service.background.accounts.openWorkspace(other.teamId, wanted)
    } catch (error) {
      return error
    }
  }

  it('is kept for 90 days from every other workspace, and free then', async () => {
    const name = await nameOf(former)
    const moved = `moved-on-${former.workspaceId}`
    createdBody(await take(former, moved))
    const refused = async () => {
      const { status, body } = await take(other, name)
      expect([status, body.error]).to.deep.equal([422, TAKEN])
      expect(await opening(name)).to.be.instanceOf(Refusal)
    }
    await refused()
    createdBody(await take(former, name))
    expect((await take(other, moved)).body.error).to.equal(TAKEN)
    createdBody(await take(former, moved))
    const clock = `${own(former)}/test_clock`
    const at = Date.parse(createdBody(await former.api.get(clock)).now)
    const advance = async (days: number) => {
      const to = new Date(at + days * DAY_MS).toISOString()
      expect((await former.api.post(clock, { to })).status).to.equal(202)
      await eventually(async () => expect(createdBody(await former.api.get(clock)).state).to.equal('ready'))
      await waitUntilSettled(service)
    }
    await advance(89)
    await refused()
    await advance(91)
    createdBody(await take(other, name))
    await waitUntilSettled(service)
    const hosts = createdBody(await other.api.get(`${own(other)}/domains`)).map((one: { name: string }) => one.name)
    expect(hosts).to.deep.equal([`${name}.localhost`])
    expect((await take(former, name)).status).to.equal(422)
  })
})
