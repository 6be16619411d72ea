import { expect } from 'chai'
import type { Change, Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import { mintedAt } from '../../domain/kernel/values/ids.ts'
import { openIds } from '../../infra/runtime/ids.ts'
import { WorkspaceClocks } from '../../infra/workspace-clocks.ts'
import { openSetting } from '../workers/reactor/setting.ts'

const MACHINE = Date.parse('2026-03-01T09:00:00.000Z')
const YEAR = 365 * 24 * 60 * 60 * 1000

const tested = (rev: number, clock_offset_ms: number | null, more: object = {}): Document => ({
  id: 7,
  rev,
  test: true,
  clock_offset_ms,
  clock_at: null,
  clock_target: null,
  ...more,
})
const onItsWay = { clock_at: '2027-01-01T00:00:00.000Z', clock_target: '2028-01-01T00:00:00.000Z' }

/** Clocks over one document, which counts its reads. */
const clocksOver = (shared: boolean) => {
  const place = { document: tested(0, null), reads: 0, machine: MACHINE }
  const read = () => {
    place.reads++
    return place.document
  }
  const live = { get: read, find: () => [read()] } as unknown as ReadModels
  let tell: ((changes: readonly Change[] | undefined) => void) | undefined
  const watched = {
    watch: (listener: typeof tell) => {
      tell = listener
    },
    findIds: () => [],
  }
  const clocks = new WorkspaceClocks({ live, shared, machine: () => place.machine, ...(!shared && { watched }) })
  const hear = (document: Document) => tell?.([{ collection: 'workspace', id: 7, document, position: 1 }])
  return { clocks, place, hear }
}

describe('the clocks of workspaces', () => {
  it('are that of the machine, but for test workspaces', async () => {
    const { clocks, hear } = clocksOver(false)
    expect([clocks.now(), clocks.now(7)]).to.deep.equal([MACHINE, MACHINE])
    expect(await clocks.advances(7)).to.equal(false)
    hear(tested(1, YEAR))
    expect([clocks.now(), clocks.now(7), clocks.now(8)]).to.deep.equal([MACHINE, MACHINE + YEAR, MACHINE])
    hear({ id: 8, rev: 1 })
    expect(clocks.inState('ready')).to.deep.equal([7])
  })

  it('follow the changes that this process receives, and never go back to an older document', async () => {
    const { clocks, place, hear } = clocksOver(false)
    hear(tested(2, null, onItsWay))
    expect(await clocks.advances(7)).to.equal(true)
    expect(clocks.now(7)).to.equal(Date.parse(onItsWay.clock_at))
    hear(tested(1, null))
    expect(clocks.inState('advancing')).to.deep.equal([7])
    hear(tested(3, YEAR))
    expect([await clocks.advances(7), clocks.now(7)]).to.deep.equal([false, MACHINE + YEAR])
    expect(place.reads).to.equal(0)
  })

  it('never go back, although they ran on in this process after they were advanced', async () => {
    const { clocks, place, hear } = clocksOver(false)
    hear(tested(1, YEAR))
    place.machine += 1500
    expect(clocks.now(7)).to.equal(MACHINE + YEAR + 1500)
    const [sentAt, dueAt, target] = [200, 1600, 5000].map((ms) => new Date(MACHINE + YEAR + ms).toISOString())
    hear(tested(2, YEAR, { clock_at: sentAt, clock_target: target }))
    expect(clocks.now(7)).to.equal(MACHINE + YEAR + 1500)
    hear(tested(3, YEAR, { clock_at: dueAt, clock_target: target }))
    expect(clocks.now(7)).to.equal(MACHINE + YEAR + 1600)
  })

  it('notify listeners while they are being advanced', () => {
    const { clocks, hear } = clocksOver(false)
    hear(tested(1, null, onItsWay))
    const told: number[] = []
    const hush = clocks.onSent((id) => told.push(id))
    expect(told).to.deep.equal([7])
    hear(tested(2, YEAR))
    hear(tested(3, YEAR, onItsWay))
    expect(told).to.deep.equal([7, 7])
    hush()
    hear(tested(4, YEAR, onItsWay))
    expect(told).to.have.lengthOf(2)
  })

  it('are read again before a write, when another process may move them', async () => {
    const { clocks, place } = clocksOver(true)
    await clocks.start()
    place.document = tested(1, null, onItsWay)
    expect(clocks.now(7)).to.equal(MACHINE)
    expect(await clocks.advances(7)).to.equal(true)
    expect(clocks.now(7)).to.equal(Date.parse(onItsWay.clock_at))
    const { reads } = place
    expect(await clocks.advances(8)).to.equal(false)
    expect(place.reads).to.equal(reads)
    clocks.stop()
  })

  it('are also read when a workspace has one that this process does not know', async () => {
    const { clocks, place } = clocksOver(true)
    place.document = tested(1, YEAR)
    expect(await clocks.advances(7)).to.equal(false)
    expect(clocks.now(7)).to.equal(MACHINE)
    expect(await clocks.advances(7, true)).to.equal(false)
    expect(clocks.now(7)).to.equal(MACHINE + YEAR)
  })

  it('do not affect ids', async () => {
    const setting = await openSetting()
    const { log } = setting
    const newest = async (test: boolean, stream: string, at: number) => {
      const metadata = { actor: 'system', $correlationId: 'c', $causationId: 'c', workspace_id: 7 }
      const event = { id: `${stream}-${at}`, type: 'WorkspaceOpened', data: { test } }
      const events = [{ ...event, metadata: { ...metadata, at: new Date(at).toISOString() } }]
      await log.append({ stream, expected: 'any', events })
    }
    const minted = async () => {
      const ids = await openIds({ log, counted: new Set(), node: () => 0, now: () => MACHINE })
      return mintedAt(ids.next('anything'))
    }
    await newest(true, 'workspace-7', MACHINE)
    await newest(false, 'contact-1', MACHINE + YEAR)
    expect(await minted()).to.be.within(MACHINE, MACHINE + 1)
    await setting.cleanup()
  })
})
