import { expect } from 'chai'
import type { EventStoreLog } from '../../../infra/eventstoredb/event-store-log.ts'
import { openEventStoreLog } from '../../../infra/eventstoredb/open.ts'
import { wellBehaved } from '../../servers/eventstoredb/faults.ts'
import { TestServer } from '../../servers/eventstoredb/server.ts'
import { fresh } from '../event-log/setting.ts'

const MANY = 1000

describe('Counters of EventStoreDB', () => {
  let server: TestServer
  let logs: readonly EventStoreLog[]

  before(async () => {
    server = await TestServer.start()
    logs = [1, 2].map(() => openEventStoreLog({ url: server.url }))
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
})
