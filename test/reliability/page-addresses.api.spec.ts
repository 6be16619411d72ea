import { Agent } from 'node:http'
import { expect } from 'chai'
import { type HostedSite, hostedSite, saying } from '../api/pages-host/support.ts'
import { heapBytes } from '../support/heap.ts'
import { askHost } from '../support/hosts.ts'
import { testService } from '../support/service.ts'
import { byForm, patience, printFigures } from './form.ts'

const MANY = byForm(2000, 100_000)
/** Bytes that twice as many unknown addresses may leave behind. */
const MEMORY = byForm(4, 50) * 1024 * 1024
const AT_ONCE = 32
const WARM = 1000
const TIMES = byForm(5, 25)

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

describe('the addresses of hosted pages', function () {
  this.timeout(patience)
  let site: HostedSite
  before(async () => {
    site = await hostedSite(await testService())
    await site.standalone('/known', { markup: saying('Known') })
  })
  after(() => agent.destroy())

  const expectStatus = async (host: string, path: string, expected: number): Promise<void> => {
    const { status } = await askHost(site.service.publicUrl, host, path, { agent })
    expect(status, path).to.equal(expected)
  }
  const askKnown = () => expectStatus(site.host, '/known', 200)

  /** Processor time of a request for a known page, in µs: the least of several measurements. Half of it is that of the client. */
  const costOfKnown = async (): Promise<number> => {
    let least = Number.POSITIVE_INFINITY
    for (let time = 0; time < TIMES; time++) {
      const before = process.cpuUsage()
      await each(WARM, askKnown)
      const { user, system } = process.cpuUsage(before)
      least = Math.min(least, (user + system) / WARM)
    }
    return least
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
    await each(WARM, (number) => unknownPath(-1 - number))
    await each(WARM, (number) => unknownHost(-1 - number))
    await each(WARM, askKnown)
    const cost = await costOfKnown()
    const before = heldBytes()
    await each(MANY, unknownPath)
    await each(MANY, unknownHost)
    const added = heldBytes() - before
    const costAfter = await costOfKnown()
    const known = `a known page ${cost.toFixed(0)} and then ${costAfter.toFixed(0)} µs of CPU, client included`
    printFigures('unknown addresses', `${2 * MANY} left ${(added / 1024 / 1024).toFixed(1)} MiB; ${known}`)
    expect(added).to.be.below(MEMORY)
    // The least of few measurements is not exact to per cents.
    expect(costAfter).to.be.below(byForm(3, 1.1) * cost)
  })
})
