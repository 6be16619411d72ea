import { expect } from 'chai'
import { ok } from '../../../support/client.ts'
import { communitiesOf } from '../../../support/communities.ts'
import { lookupsOf } from '../../../support/lookups.ts'
import { memberCommunity } from '../../../support/member-communities.ts'
import { startTestService, type Tenant, type TestService } from '../../../support/service.ts'
import { waitUntilSettled } from '../../../support/settled.ts'

/** Number of measurements: background work sometimes queries as well. */
const LOOKS = 5

describe('look-ups for pages of communities', () => {
  let service: TestService
  let tenant: Tenant
  before(async () => {
    service = await startTestService()
    tenant = await service.tenant({ test: true })
  })

  const fewest = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
    await waitUntilSettled(service)
    await work()
    const looks: (readonly string[])[] = []
    while (looks.length < LOOKS) looks.push([...(await lookupsOf(service, work))].sort())
    return looks.reduce((least, look) => (look.length < least.length ? look : least))
  }

  it('are as many for whoever is offered to be mentioned', async () => {
    const on = await memberCommunity(service, tenant)
    const ada = await on.member('ada')
    const join = async (from: number, to: number) => {
      for (let n = from; n < to; n++) ok(await on.make.join(on.community, await on.contact(`member.${n}`)))
    }
    const form = async () => expect((await ada.browser.get(`/members/spaces/${on.space}/write`)).status).to.equal(200)
    await join(0, 3)
    const few = await fewest(form)
    await join(3, 30)
    expect(await fewest(form)).to.deep.equal(few)
  })

  it('are as many for any number of communities that one has not joined', async () => {
    const on = await memberCommunity(service, tenant)
    const eve = await on.member('eve')
    const { community } = communitiesOf(tenant)
    const start = async () => expect((await eve.browser.get('/members/communities')).status).to.equal(200)
    const few = await fewest(start)
    for (let n = 0; n < 30; n++) await community({ name: `Community ${n}`, ...(n % 2 === 0 && { status: 'draft' }) })
    expect(await fewest(start)).to.deep.equal(few)
  })
})
