import { expect } from 'chai'
import type { Vault } from '../../../domain/kernel/ports/vault.ts'
import type { JsonObject, RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { logFile, openSqliteStore } from '../../../infra/log-db/store.ts'
import { Child } from '../children/child.ts'
import { collect, events, taken } from '../event-log/setting.ts'
import { temporaryDirectory } from '../temporary-directory.ts'

describe('The SQLite log, when its process ends without warning', () => {
  let directory: ReturnType<typeof temporaryDirectory>
  beforeEach(() => {
    directory = temporaryDirectory()
  })
  afterEach(() => directory.remove())

  it('has every acknowledged event, whole appends only, and the key to each', async () => {
    const acknowledged = new Set<number>()
    for (let round = 0; round < 4; round++) {
      const child = new Child('append-for-ever', [directory.path, String(round * 1_000_000), '20', '50'])
      await child.line(300)
      await child.end('SIGKILL')
      for (const line of child.lines) acknowledged.add(Number(line))
    }
    expect(acknowledged.size).to.be.at.least(1200)
    expect(acknowledged.has(Number.NaN)).to.equal(false)
    await check(acknowledged)
  })

  it('keeps what it has acknowledged when the disk is full, says what to do, and goes on when there is space', async () => {
    // Limits files to 1,000 blocks of at most 1,024 bytes.
    const child = new Child(
      'append-for-ever',
      [directory.path, '0', '5', '2000'],
      ['sh', '-c', 'ulimit -f 1000; exec "$@"', 'sh'],
    )
    await child.end()
    const failure = child.lines.at(-1)!
    expect(failure).to.match(/^failed The event log .* could not be written .*Make room/)
    expect(failure).to.include(directory.path)
    await check(new Set(child.lines.slice(0, -1).map(Number)))
  })

  it('waits for the locks of a process that is not yet gone, and loses nothing meanwhile', async () => {
    const writer = new Child('append-for-ever', [directory.path, '0', '5', '50'])
    await writer.line(50)
    await writer.end('SIGKILL')
    for (let round = 0; round < 2; round++) {
      const holder = new Child('hold-log', [logFile(directory.path), '700'])
      await holder.line(0)
      const { log } = await openSqliteStore(directory.path, Buffer.alloc(32, 7))
      expect(await log.lastPosition()).to.be.at.least(99)
      await log.close()
      await holder.end()
    }
  })

  async function check(acknowledged: ReadonlySet<number>): Promise<void> {
    const { log, vault } = await openSqliteStore(directory.path, Buffer.alloc(32, 7))
    const all = await collect(log.readAll())
    expect(all.map((each) => each.position)).to.deep.equal(all.map((_, position) => position))
    const streams = new Map<string, RecordedEvent[]>()
    for (const each of all) streams.set(each.stream, [...(streams.get(each.stream) ?? []), each])
    for (const [stream, recorded] of streams) await checkStream(vault, stream, recorded)
    for (const n of acknowledged) {
      expect(streams.has(`contact-${n}`), `acknowledged ${n}`).to.equal(true)
      expect(await log.claimed(`email-${n}`)).to.include({ stream: `contact-${n}`, revision: 1 })
    }
    const last = all.at(-1)!.position
    expect(taken(await log.append({ stream: 'next', expected: -1, events: events(1) })).position).to.equal(last + 1)
    await log.close()
  }

  async function checkStream(vault: Vault, stream: string, recorded: readonly RecordedEvent[]): Promise<void> {
    expect(recorded.map((each) => each.revision)).to.deep.equal([0, 1])
    const { n, sealed } = recorded[0]!.data as JsonObject & { n: number; sealed: string }
    expect(stream).to.equal(`contact-${n}`)
    expect(await vault.open(n + 1, sealed)).to.include({ n })
    expect(recorded[1]!.data).to.deep.equal({ n, [`shape_${n % 300}`]: n })
  }
})
