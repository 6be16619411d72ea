import { Agent } from 'node:http'
import { expect } from 'chai'
import { median } from '../../bench/statistics.ts'
import { type HostedSite, hostedSite, saying } from '../api/pages-host/support.ts'
import { heapBytes } from '../support/heap.ts'
import { askHost } from '../support/hosts.ts'
import { startTestService, type TestService, testService } from '../support/service.ts'
import { byForm, patience, printFigures } from './form.ts'

const MANY = byForm(2000, 100_000)
/** Bytes that twice as many unknown addresses may leave behind. */
const MEMORY = byForm(4, 50) * 1024 * 1024
const AT_ONCE = 32
const WARM = 1000
const TIMES = byForm(5, 41)

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })

/** Carries out numbered requests, so many at once. */
const each = async (count: number, request: (number: number) => Promise<void>): Promise<void> => {
  let next = 0
  const work = async () => {
    for (let number = next++; number < count; number = next++) await request(number)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** What this process holds, besides what can be collected. */
const heldBytes = (): number => heapBytes() + process.memoryUsage().external

const siteOn = async (service: TestService): Promise<HostedSite> => {
  const site = await hostedSite(service)
  await site.standalone('/known', { markup: saying('Known') })
  return site
}

/** Processor time of requests for a known page, the client included. */
const costOfKnown = async ({ service, host }: HostedSite): Promise<number> => {
  const before = process.cpuUsage()
  await each(WARM, async () => {
    const { status } = await askHost(service.publicUrl, host, '/known', { agent })
    expect(status).to.equal(200)
  })
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/** Ratios of the cost at one site to that at another, measured in turn: the processor is not always as fast. */
const ratiosOf = async (one: HostedSite, other: HostedSite): Promise<readonly number[]> => {
  const ratios: number[] = []
  // The first round warms up.
  for (let time = 0; time <= TIMES; time++) {
    const [a, b] = [await costOfKnown(one), await costOfKnown(other)]
    if (time > 0) ratios.push(a / b)
  }
  return ratios
}

describe('the addresses of hosted pages', function () {
  this.timeout(patience)
  let site: HostedSite
  before(async () => {
    site = await siteOn(await testService())
  })
  after(() => agent.destroy())

  const expectStatus = async (host: string, path: string, expected: number): Promise<void> => {
    const { status } = await askHost(site.service.publicUrl, host, path, { agent })
    expect(status, path).to.equal(expected)
  }

  it('13b 16: with any query are those of one page, which is made once', async () => {
    const { live } = site.service.background.stores.readModels
    const find = live.find.bind(live)
    let lookUps = 0
    live.find = (collection, query) => {
      if (collection === 'page' && String(query.where.path_key).endsWith('/known')) lookUps++
      return find(collection, query)
    }
    try {
      await each(MANY, (number) =>
        expectStatus(site.host, `/known?utm_source=${number}&fbclid=${number}&gclid=a%2Bb&q=${'x'.repeat(100)}`, 200),
      )
      expect(lookUps).to.equal(1)
    } finally {
      live.find = find
    }
  })

  it('13b 16: that do not exist take no memory, and do not slow a page that does', async () => {
    const unknownPath = (number: number) => expectStatus(site.host, `/unknown/${'p'.repeat(100)}${number}`, 404)
    const unknownHost = (number: number) => expectStatus(`h${number}.${'x'.repeat(60)}.example`, '/known', 404)
    const untouched = await siteOn(await startTestService())
    await each(WARM, (number) => unknownPath(-1 - number))
    await each(WARM, (number) => unknownHost(-1 - number))
    const before = heldBytes()
    await each(MANY, unknownPath)
    await each(MANY, unknownHost)
    const added = heldBytes() - before
    const ratio = median(await ratiosOf(site, untouched))
    const slower = `a known page costs ${ratio.toFixed(2)} times as much CPU as where nobody asked for them`
    printFigures('unknown addresses', `${2 * MANY} left ${(added / 1024 / 1024).toFixed(1)} MiB; ${slower}`)
    expect(added).to.be.below(MEMORY)
    // What would grow with each of them would multiply the cost. A few measurements are not exact to per cents.
    expect(ratio).to.be.below(byForm(2, 1.1))
  })
})
