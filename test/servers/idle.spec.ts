import { setTimeout as sleep } from 'node:timers/promises'
import { EventStoreDBClient, START } from '@eventstore/db-client'
import { expect } from 'chai'
import { byForm, printFigures } from '../reliability/form.ts'
import { cpuSeconds } from '../reliability/process-costs.ts'
import { missingNode } from './node.ts'
import { type Processes, ROLES, startProcesses } from './processes.ts'

/** Time until the memory of the start has been cleaned up as well. */
const SETTLES_MS = 40_000
const IDLE_MS = byForm(30_000, 300_000)
const DAY_MS = 24 * 60 * 60 * 1000
/** Share of a core that one of our processes may use at rest. */
const AT_REST = 0.01
/** Limit for the growth of the log in a day. */
const BYTES_A_DAY = 8192

/** The service gets no requests for a while. Its cost a day is extrapolated from that. */
describe('the service in divided roles on servers, at rest', function () {
  this.timeout(IDLE_MS + 300_000)
  if (missingNode || process.platform !== 'linux') {
    it.skip(missingNode ?? 'skipped: the time of processors is read from /proc')
    return
  }
  let processes: Processes
  let client: EventStoreDBClient
  before(async () => {
    processes = await startProcesses()
    client = EventStoreDBClient.connectionString(processes.node.url)
    await sleep(SETTLES_MS)
  })
  after(async () => {
    await client?.dispose()
    await processes?.stop()
  })

  /** Counts everything in the log, including the records of the server itself. */
  const records = async () => {
    let [count, bytes] = [0, 0]
    for await (const { event } of client.readAll({ direction: 'forwards', fromPosition: START })) {
      if (!event) continue
      count++
      bytes +=
        JSON.stringify(event.data ?? null).length +
        JSON.stringify(event.metadata ?? null).length +
        event.streamId.length
    }
    return { count, bytes }
  }

  it('appends almost nothing, and uses almost no processor time', async () => {
    const pids = new Map<string, number>([
      ...ROLES.map((role) => [role, processes.members[role].life.child.pid!] as const),
      ['EventStoreDB', processes.node.pid],
      ['FerretDB', processes.documents.pid],
    ])
    const before = { log: await records(), cpu: new Map<string, number>() }
    for (const [name, pid] of pids) before.cpu.set(name, cpuSeconds(pid))
    const begun = performance.now()
    await sleep(IDLE_MS)
    const tookMs = performance.now() - begun
    const shares = new Map<string, number>()
    for (const [name, pid] of pids) shares.set(name, ((cpuSeconds(pid) - before.cpu.get(name)!) * 1000) / tookMs)
    const log = await records()
    const aDay = DAY_MS / tookMs
    const [events, bytes] = [(log.count - before.log.count) * aDay, (log.bytes - before.log.bytes) * aDay]
    printFigures(
      'at rest',
      `${Math.round(tookMs / 1000)} s; ${log.count - before.log.count} records (${Math.round(events)} and ${Math.round(bytes)} bytes a day); ` +
        [...shares].map(([name, share]) => `${name} ${(100 * share).toFixed(2)} %`).join(', '),
    )
    expect(bytes).to.be.at.most(BYTES_A_DAY)
    for (const role of ROLES) expect(shares.get(role), role).to.be.below(AT_REST)
  })
})
