import { Agent } from 'node:http'
import { expect } from 'chai'
import { ok } from '../support/client.ts'
import { askHost } from '../support/hosts.ts'
import { type Tenant, type TestService, testService } from '../support/service.ts'
import { splitFunnel } from '../support/traffic/entry-traffic.ts'
import { byForm, patience, printFigures } from './form.ts'

const VISITORS = byForm(2000, 100_000)
const IN_FLIGHT = 64
const WEIGHTS = [30, 70] as const
/** What a χ² of one degree of freedom exceeds once in ten million runs. */
const CRITICAL = 28.4

describe('many visitors at the entry of a split funnel', function () {
  this.timeout(patience)
  let service: TestService
  let tenant: Tenant
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT })
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
  })
  after(() => agent.destroy())

  it(`13b 31: ${VISITORS} entries fit the weights, and each visitor stays where it was when they change`, async () => {
    const { funnel, split, host } = await splitFunnel(tenant, WEIGHTS)
    const enter = async (cookie?: string) => {
      const headers = cookie === undefined ? {} : { cookie }
      const answer = await askHost(service.publicUrl, host, funnel.current_path, { agent, headers })
      expect(answer.status).to.equal(302)
      return { to: answer.headers.location!, cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] }
    }
    const each = async (visit: (index: number) => Promise<void>) => {
      let next = 0
      const work = async () => {
        while (next < VISITORS) await visit(next++)
      }
      await Promise.all(Array.from({ length: IN_FLIGHT }, work))
    }
    const visitors: { readonly to: string; readonly cookie?: string | undefined }[] = []
    await each(async (index) => {
      visitors[index] = await enter()
    })
    const firsts = visitors.filter(({ to }) => to === `${funnel.current_path}/first`).length
    expect(visitors.filter(({ to }) => to === `${funnel.current_path}/second`)).to.have.length(VISITORS - firsts)
    const expected = WEIGHTS.map((weight) => (VISITORS * weight) / 100)
    const chiSquare = (firsts - expected[0]!) ** 2 / expected[0]! + (firsts - expected[0]!) ** 2 / expected[1]!
    printFigures('entries', `${firsts} of ${VISITORS} at a weight of ${WEIGHTS[0]} %, χ² ${chiSquare.toFixed(2)}`)
    expect(chiSquare).to.be.below(CRITICAL)

    const variants = [{ weight: 99 }, { weight: 1 }]
    const path = `/funnels/${funnel.id}/split_test_steps/${split.id}`
    ok(await tenant.api.call('PATCH', path, { split_test_step: { variants } }))
    await each(async (index) => {
      const { to, cookie } = visitors[index]!
      expect(await enter(cookie)).to.deep.equal({ to, cookie: undefined })
    })

    await service.caughtUp()
    const stats = ok(await tenant.api.get(`/funnels/${funnel.id}/stats?expand[]=steps&live_mode=false`))
    expect(stats.splits[0].variants.map(({ entries }: { entries: number }) => entries)).to.deep.equal([
      firsts,
      VISITORS - firsts,
    ])
    // The answer warns from p = 0.001 on, 10.83.
    expect(stats.splits[0].entries_fit).to.equal(chiSquare <= 10.828)
  })
})
