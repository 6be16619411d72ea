import { expect } from 'chai'
import type { Change, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { builtFrom } from '../infra/read-models/setting.ts'
import { allDocuments, countOf, type Documents, expectSameDocuments, withoutErased } from '../support/documents.ts'
import { MemoryReadModels } from '../support/memory/read-models.ts'
import { type Random, random, seedOfRun } from '../support/random.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { variedTraffic } from '../support/traffic/traffic.ts'
import { byForm } from './form.ts'

/** Batches that overlap, and crashes within a batch, each with random cuts. */
const OVERLAPS = byForm(4, 20)
const CRASHES = byForm(8, 40)

describe('the log folded again', function () {
  this.timeout(240_000)
  let service: TestService
  let events: RecordedEvent[]
  let live: Documents

  /** One of the visitors of the traffic is erased. */
  const documentsIn = async (models: Pick<ReadModels, 'find'>): Promise<Documents> =>
    withoutErased(await allDocuments(models), service.background.stores.vault)

  before(async () => {
    service = await startTestService()
    await variedTraffic(service)
    events = []
    for await (const event of service.background.stores.log.readAll()) events.push(event)
    live = await documentsIn(service.background.stores.readModels.live)
    expect(events.length).to.be.greaterThan(100)
    expect(countOf(live)).to.be.greaterThan(40)
  })

  /** Projects batches in the given order. Expects the live documents as the result. */
  const expectLive = async (batches: readonly (readonly RecordedEvent[])[]): Promise<void> => {
    const models = new MemoryReadModels()
    for (const batch of batches) await service.background.core.project(batch, models)
    expectSameDocuments(await documentsIn(models), live)
    expect(models.checkpoint()).to.equal(events.at(-1)!.position)
  }

  it('has nothing of a visitor who was erased', () => {
    const sent = [...live.get('form_submission')!.values()]
    expect(sent.some(({ personal }) => personal === null)).to.equal(true)
    expect(sent.some(({ personal }) => typeof personal === 'string')).to.equal(true)
  })

  const inBatchesOf = (size: number): RecordedEvent[][] =>
    Array.from({ length: Math.ceil(events.length / size) }, (_, index) =>
      events.slice(index * size, (index + 1) * size),
    )

  const overlapping = ({ below }: Random): RecordedEvent[][] => {
    const batches: RecordedEvent[][] = []
    for (let done = 0; done < events.length; ) {
      const from = Math.max(0, done - below(30))
      done = Math.min(events.length, done + 1 + below(20))
      batches.push(events.slice(from, done))
    }
    return batches
  }

  it('gives the documents that are live, in one batch or in many', async () => {
    for (const size of [events.length, 7, 1]) await expectLive(inBatchesOf(size))
  })

  it('gives the same when every batch comes twice', async () => {
    for (const size of [events.length, 10, 1]) await expectLive(inBatchesOf(size).flatMap((batch) => [batch, batch]))
  })

  it('gives the same when batches overlap', async () => {
    const chance = random(seedOfRun())
    for (let round = 0; round < OVERLAPS; round++) await expectLive(overlapping(chance))
  })

  it('gives the same after a crash in the middle of writing a batch', async () => {
    const { below } = random(seedOfRun())
    for (let round = 0; round < CRASHES; round++) {
      const models = new MemoryReadModels()
      const [done, to] = [below(events.length - 20), 20 + below(60)]
      await service.background.core.project(events.slice(0, done), models)
      const crashed = Object.assign(Object.create(models) as MemoryReadModels, {
        apply: async (changes: readonly Change[]) => models.applyPartly(changes.slice(0, below(changes.length + 1))),
        get: models.get.bind(models),
      })
      await service.background.core.project(events.slice(done, done + to), crashed)
      const size = 1 + below(40)
      for (let at = done; at < events.length; at += size)
        await service.background.core.project(events.slice(at, at + size), models)
      expectSameDocuments(await documentsIn(models), live)
    }
  })

  it('gives the same in the embedded read models when batches overlap', async () => {
    const { readModels } = service.background.stores
    const building = await readModels.rebuild(builtFrom('overlapping'))
    for (const batch of overlapping(random(seedOfRun()))) await service.background.core.project(batch, building)
    expectSameDocuments(await documentsIn(building), live)
    await building.abandon()
  })
})
