import { expect } from 'chai'
import type { Append } from '../../../domain/kernel/ports/event-log.ts'
import { numberPlaceholder } from '../../../domain/kernel/values/sequence-numbers.ts'
import type { EventStoreLog } from '../../../infra/eventstoredb/event-store-log.ts'
import { openEventStoreLog } from '../../../infra/eventstoredb/open.ts'
import { wellBehaved } from '../../servers/eventstoredb/faults.ts'
import { TestServer } from '../../servers/eventstoredb/server.ts'
import { collect, event, fresh } from '../event-log/setting.ts'

const MANY = 1000

describe('Counters of EventStoreDB', () => {
  let server: TestServer
  let logs: readonly EventStoreLog[]

  before(async () => {
    server = await TestServer.start()
    logs = [1, 2].map(() => openEventStoreLog({ url: server.url, backoff: { firstMs: 1, mostMs: 20 } }))
  })
  after(async () => {
    for (const log of logs) await log.close()
    await server.stop()
  })

  it('are advanced once for all simultaneous requests, and never give two processes the same number', async () => {
    const name = fresh('kind')
    let calls = 0
    server.misbehave = () => void calls++
    const taken = await Promise.all(
      logs.flatMap(({ counters }) => Array.from({ length: MANY }, () => counters.take(name, 1))),
    )
    server.misbehave = wellBehaved
    expect(new Set(taken).size).to.equal(2 * MANY)
    expect(Math.max(...taken)).to.equal(2 * MANY)
    expect(calls).to.be.below(50)
  })

  it('give numbers that nobody holds, over failing connections, and a repeat the number of the first time', async () => {
    const counter = fresh('number')
    const requests = Array.from({ length: 24 }, (_, n): Append => {
      const stream = fresh('bill')
      if (n % 3 === 0) return { stream, expected: -1, events: [event()], take: [{ key: `${counter}:${n + 3}` }] }
      const [numbers, take] = [[counter], [{ key: `${counter}:`, counter }]]
      return {
        stream,
        expected: -1,
        events: [event({ n: numberPlaceholder(counter) })],
        numbers,
        take,
        repeatable: true,
      }
    })
    let call = 0
    server.misbehave = () => (['dropBefore', 'dropAfter', 'notReady'] as const)[call++ % 17]
    await Promise.allSettled(requests.map((request, n) => logs[n % 2]!.append(request)))
    server.misbehave = wellBehaved
    const found: number[] = []
    for (const [n, request] of requests.entries()) {
      const before = (await collect(logs[0]!.readStream(request.stream)))[0]?.data.n
      const again = await logs[n % 2]!.append(request)
      const [stored, ...more] = await collect(logs[0]!.readStream(request.stream))
      expect(more).to.deep.equal([])
      if (request.numbers) {
        expect(again.ok).to.equal(true)
        expect([undefined, stored?.data.n]).to.include(before)
        found.push(Number(stored?.data.n))
      } else if (stored) found.push(n + 3)
    }
    expect(new Set(found).size, found.join()).to.equal(found.length)
    for (const [n, request] of requests.entries()) {
      if (!request.numbers) continue
      const [stored] = await collect(logs[0]!.readStream(request.stream))
      expect((await logs[n % 2]!.claimed(`${counter}:${stored?.data.n}`))?.stream).to.equal(request.stream)
    }
  })
})
