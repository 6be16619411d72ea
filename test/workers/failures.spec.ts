import { expect } from 'chai'
import type { PendingTask } from '../../domain/kernel/ports/reactor-store.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { type Failures, failuresOf } from '../../workers/reactor/failures.ts'
import { deadLetter } from '../support/dead-letters.ts'
import { MemoryReactorStore } from '../support/memory/reactor-store.ts'

const event = (position: number): RecordedEvent => ({
  id: `event-${position}`,
  type: 'ContactCreated',
  data: { personal: 'sealed' },
  stream: `contact-${position}`,
  revision: 0,
  position,
  metadata: { at: '2026-07-01T11:00:00.000Z', actor: 'test', $correlationId: 'c', $causationId: 'c' },
})

/** A log in which some positions have no event. */
const log = { at: async (position: number) => ([0, 3, 7, 11].includes(position) ? event(position) : undefined) }

const refusalOf = async (action: Promise<unknown>): Promise<Refusal> => {
  const error = await action.catch((caught: unknown) => caught)
  if (error instanceof Refusal) return error
  throw new Error(`not refused: ${String(error)}`)
}

describe('dead letters', () => {
  let reactorStore: MemoryReactorStore
  let told: PendingTask[]
  let failures: Failures
  beforeEach(async () => {
    reactorStore = new MemoryReactorStore()
    told = []
    failures = failuresOf({ reactorStore, log, onOwed: (row) => told.push(row) })
    await reactorStore.write([
      { dead: deadLetter({ lane: 'mail:contact-1', position: 7, reaction: 'mail', gate: 'smtp', workspace_id: 5 }) },
      { dead: deadLetter({ lane: 'policies:contact-1', position: 3, workspace_id: 5 }) },
      { dead: deadLetter({ lane: 'mail:contact-1', position: 3, reaction: 'mail', workspace_id: 6 }) },
    ])
  })

  const idsOf = async (asked: Partial<Parameters<Failures['list']>[0]> = {}) =>
    (await failures.list({ limit: 10, ...asked })).map(({ id }) => id)
  const owed = async () => {
    const rows: PendingTask[] = []
    for await (const row of reactorStore.pending()) rows.push(row)
    return rows
  }

  it('is listed by lane and position, some at a time, or of one workspace', async () => {
    const all = ['mail:contact-1@3', 'mail:contact-1@7', 'policies:contact-1@3']
    expect(await idsOf()).to.deep.equal(all)
    expect(await idsOf({ limit: 2 })).to.deep.equal(all.slice(0, 2))
    expect(await idsOf({ after: all[1]! })).to.deep.equal(all.slice(2))
    expect(await idsOf({ after: all[2]! })).to.deep.equal([])
    expect(await idsOf({ workspaceId: 5 })).to.deep.equal(all.slice(1))
    expect(await idsOf({ after: 'mail:contact-1@4' }), 'behind one that was dropped').to.deep.equal(all.slice(1))
    expect(await refusalOf(failures.list({ limit: 1, after: 'nonsense' }))).to.include({ kind: 'malformed' })
  })

  it('is shown with its event, and with the first line of its error only', async () => {
    expect(await failures.show('mail:contact-1@7')).to.deep.equal({
      id: 'mail:contact-1@7',
      reaction: 'mail',
      position: 7,
      workspace_id: 5,
      attempts: 8,
      at: '2026-07-01T12:00:00.000Z',
      error: 'Error: the disk is on fire',
      event: { type: 'ContactCreated', stream: 'contact-7', at: '2026-07-01T11:00:00.000Z' },
    })
    await reactorStore.write([{ dead: deadLetter({ lane: 'mail:contact-1', position: 5 }) }])
    expect((await failures.show('mail:contact-1@5')).event, 'nothing is at this position').to.equal(null)
  })

  it('is pending again when it is retried, and a running reactor is notified', async () => {
    const before = await failures.show('mail:contact-1@7')
    const { event: _, ...failure } = before
    expect(await failures.retry('mail:contact-1@7')).to.deep.equal(failure)
    const row: PendingTask = {
      lane: 'mail:contact-1',
      position: 7,
      reaction: 'mail',
      gate: 'smtp',
      workspace_id: 5,
      attempts: 0,
      due: 0,
      error: 'Error: the disk is on fire\n    at burn (disk.js:1:1)',
    }
    expect(await owed()).to.deep.equal([row])
    expect(told).to.deep.equal([row])
    expect(await idsOf()).to.deep.equal(['mail:contact-1@3', 'policies:contact-1@3'])
  })

  it('is gone when it is dropped', async () => {
    expect((await failures.drop('policies:contact-1@3')).id).to.equal('policies:contact-1@3')
    expect(await idsOf()).to.deep.equal(['mail:contact-1@3', 'mail:contact-1@7'])
    expect([await owed(), told]).to.deep.equal([[], []])
  })

  it('is decided on once: unknown ids are not found, and nothing changes', async () => {
    await failures.retry('mail:contact-1@7')
    await failures.drop('mail:contact-1@3')
    const rows = await owed()
    for (const id of ['mail:contact-1@7', 'mail:contact-1@3', 'mail:contact-1@8', 'mail:contact-2@3', 'nonsense', ''])
      for (const act of [failures.show, failures.retry, failures.drop]) {
        const refusal = await refusalOf(act(id))
        expect(refusal).to.include({ kind: 'notFound', message: `Not found: there is no failure ${id}` })
      }
    expect(await idsOf()).to.deep.equal(['policies:contact-1@3'])
    expect(await owed()).to.deep.equal(rows)
    expect(told).to.deep.equal(rows)
  })

  it('is retried twice at the same moment as if once', async () => {
    await Promise.all([failures.retry('mail:contact-1@7'), failures.retry('mail:contact-1@7')])
    expect(await owed()).to.have.length(1)
    expect(await idsOf()).not.to.include('mail:contact-1@7')
  })
})
