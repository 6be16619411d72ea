import { expect } from 'chai'
import { tagAction } from '../../../domain/contacts/actions.ts'
import type { Engine } from '../../../domain/kernel/engine/engine.ts'
import type { Transaction } from '../../../domain/kernel/engine/transaction.ts'
import type { Document, Query, ReadModels } from '../../../domain/kernel/ports/read-models.ts'
import type { Json } from '../../../domain/kernel/values/event.ts'
import { refuse } from '../../../domain/kernel/values/refusal.ts'
import { type JobDeps, performJob } from '../../../workers/jobs/perform.ts'
import type { BatchTurn } from '../../../workers/reactor/reaction.ts'
import { createSemaphore } from '../../../workers/reactor/semaphore.ts'
import { MemoryBlobs } from '../../support/memory/blobs.ts'
import { OpenVault } from '../../support/projection.ts'

const TARGETS = 2000
const queued: Document = { id: 1, team_id: 1, workspace_id: 7, status: 'queued', target_all: true, tag_ids: [3] }

/** Runs a job on contacts 1 to 2,000 and records the commands it sends. */
const carriedOut = async (
  document: Document,
  {
    stopAfter = TARGETS,
    gone = [] as readonly number[],
    untilTag = TARGETS + 1,
    removedAfter = TARGETS + 1,
    kept = null as Json,
  } = {},
) => {
  const told: { type: string; wanted: object }[] = []
  const tagged: number[] = []
  let clock = 0
  const engine = {
    transact: async ({ aggregate, id, command: { type, wanted } }: Transaction) => {
      if (aggregate === tagAction.decider) told.push({ type, wanted })
      else {
        tagged.push(id)
        if (gone.includes(id)) return refuse.notFound()
      }
      return { revision: 1, position: 1, events: [] }
    },
  } as unknown as Engine
  const live = {
    get: () => (tagged.length < removedAfter ? document : undefined),
    getMany: (_collection: string, ids: readonly number[]) =>
      ids.map((id) => (tagged.length < untilTag ? { id } : undefined)),
    count: () => TARGETS,
    find: (_collection: string, { after = 0, limit = 0 }: Query) => {
      clock += 400
      const length = Math.min(limit, TARGETS - Number(after))
      return Array.from({ length }, (_, index) => ({ id: Number(after) + index + 1 }))
    },
  } as unknown as ReadModels
  const turn: BatchTurn = {
    stopping: () => tagged.length >= stopAfter && stopAfter < TARGETS,
    cursor: () => kept,
    saveCursor: async (value) => {
      kept = value
    },
  }
  const parts: JobDeps = {
    engine,
    live,
    vault: new OpenVault(),
    ids: { next: () => 1, refill: async () => {} },
    now: () => clock,
    room: createSemaphore(64),
    blobs: new MemoryBlobs(),
    loader: () => ({ one: async () => undefined }),
    seen: async () => undefined,
  }
  const { came } = await performJob(parts, turn, tagAction, document)
  return { told, tagged, kept, came }
}

describe('carrying out a job', () => {
  it('reports progress at most every twentieth and every second, and processes each target once', async () => {
    const { told, tagged } = await carriedOut(queued)
    expect(tagged).to.deep.equal(Array.from({ length: TARGETS }, (_, index) => index + 1))
    const [first, ...rest] = told
    expect(first).to.deep.equal({ type: 'start', wanted: { target_count: TARGETS } })
    expect(rest.map(({ type }) => type)).to.deep.equal([...Array(3).fill('advance'), 'complete'])
    expect(rest[0]!.wanted).to.deep.include({ performed_count: 600, cursor: 600 })
    expect(rest.at(-1)!.wanted).to.deep.equal({
      performed_count: TARGETS,
      failed_count: 0,
      failed_ids: [],
      failure_reason: null,
      cursor: TARGETS,
    })
  })

  it('continues after a stop behind the last completed page', async () => {
    const { kept, came } = await carriedOut(queued, { stopAfter: 500 })
    expect(came).to.equal('stopped')
    expect(kept).to.include({ performed_count: 600, cursor: 600 })
    const begun = { ...queued, status: 'processing', target_count: TARGETS }
    const { told, tagged } = await carriedOut(begun, { kept })
    expect([tagged[0], tagged.length]).to.deep.equal([601, TARGETS - 600])
    expect(told.at(-1)!.wanted).to.include({ performed_count: TARGETS })
  })

  it('continues behind the cursor that a version without a reactor store recorded', async () => {
    const recorded = { status: 'processing', target_count: TARGETS, performed_count: 500, cursor: 500 }
    const { tagged } = await carriedOut({ ...queued, ...recorded })
    expect([tagged[0], tagged.length]).to.deep.equal([501, TARGETS - 500])
  })

  it('counts and names the targets that failed', async () => {
    const { told } = await carriedOut(queued, { gone: [17, 1999] })
    expect(told.at(-1)!.wanted).to.deep.include({ performed_count: TARGETS, failed_count: 2, failed_ids: [17, 1999] })
    expect(told.at(-1)!.wanted).to.include({ failure_reason: 'Not found: Record missing' })
  })

  it('does nothing more to anybody once a record that it names has ended, and says so', async () => {
    const { told, tagged } = await carriedOut(queued, { untilTag: 400 })
    expect(tagged).to.have.length(400)
    expect(told.at(-1)!.wanted).to.deep.include({
      performed_count: TARGETS,
      failed_count: TARGETS - 400,
      failure_reason: 'Tag ids no longer exist: 3',
    })
  })

  it('ends when it is removed, without further events', async () => {
    const { told, tagged } = await carriedOut(queued, { removedAfter: 100 })
    expect(tagged).to.have.length(200)
    expect(told.map(({ type }) => type)).to.deep.equal(['start'])
  })
})
