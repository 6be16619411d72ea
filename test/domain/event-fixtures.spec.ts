import { expect } from 'chai'
import { resources } from '../../domain/index.ts'
import { upcasterOf } from '../../domain/kernel/decide/upcast.ts'
import { DUE } from '../../domain/kernel/model/due.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { aggregatesOf } from '../../domain/resources/resource.ts'
import { documentAfter, documentsTouched } from '../../projections/document.ts'
import { eventFixtures, fixtureProblems, writeMissingFixtures } from '../support/event-fixtures.ts'
import { isUpdating } from '../support/golden.ts'
import { ids } from '../support/projection.ts'
import { startTestService } from '../support/service.ts'
import { variedTraffic } from '../support/traffic/traffic.ts'

const aggregates = aggregatesOf(resources)
const upcast = upcasterOf(aggregates)

/** Folds the events of one stream as the engine and the projection do. */
const fold = (events: readonly RecordedEvent[]): ReadonlyMap<string, Document | undefined> => {
  const { name } = parseStream(events[0]!.stream)
  const aggregate = aggregates.find((one) => one.name === name)!
  const documents = new Map<string, Document | undefined>()
  let state = aggregate.initial
  for (const event of events.map(upcast)) {
    state = aggregate.fold(state, [event])
    expect(state, `${event.type} on its aggregate`).not.to.equal(undefined)
    for (const resource of resources.filter((one) => one.aggregate === aggregate)) {
      for (const id of documentsTouched(resource, event)) {
        const key = `${resource.name} ${id}`
        const before = documents.get(key)
        const after = documentAfter(resource, before, event, id, ids)
        documents.set(key, after)
        if (resource.timers && !resource.timers.movedBy.includes(event.type))
          expect(after?.[DUE.at] ?? null, `${event.type} moves no timer`).to.equal(before?.[DUE.at] ?? null)
      }
    }
  }
  aggregate.claims(state)
  return documents
}

describe('events of every version ever written', () => {
  before(async function () {
    this.timeout(180_000)
    if (!isUpdating()) return
    const service = await startTestService()
    const { log, vault } = service.background.stores
    await writeMissingFixtures(log, vault, () => variedTraffic(service))
  })

  it('have a fixture each', () => {
    expect(fixtureProblems(aggregates, eventFixtures())).to.deep.equal([])
  })

  for (const [name, fixture] of eventFixtures()) {
    it(`fold: ${name}`, () => {
      for (const document of fold([fixture]).values()) expect(document ?? { id: 0 }).to.have.property('id')
      if ('personal' in fixture.data) fold([{ ...fixture, data: { ...fixture.data, personal: null } }])
    })
  }

  it('fold one after the other, as they stood in their streams', () => {
    const streams = new Map<string, RecordedEvent[]>()
    for (const event of eventFixtures().values())
      streams.set(event.stream, [...(streams.get(event.stream) ?? []), event])
    for (const events of streams.values()) {
      const ordered = events.sort((a, b) => a.revision - b.revision)
      expect(fold(ordered).size, ordered[0]!.stream).to.be.greaterThan(0)
    }
  })

  it('cannot be forgotten: a missing, an undeclared and a misplaced fixture are found', () => {
    const fixtures = new Map(eventFixtures())
    const known = new Set(fixtureProblems(aggregates, fixtures))
    const [name, event] = [...fixtures][0]!
    fixtures.delete(name)
    fixtures.set('contact/ContactVanished.v1.json', { ...event, stream: 'contact-1', type: 'ContactVanished' })
    fixtures.set('contact/ContactDeleted.v9.json', { ...event, stream: 'contact-1', type: 'ContactDeleted' })
    const problems = fixtureProblems(aggregates, fixtures).filter((problem) => !known.has(problem))
    expect(problems.map((problem) => problem.split(' ')[0])).to.deep.equal([
      name,
      'contact/ContactVanished.v1.json',
      'contact/ContactDeleted.v9.json',
      'contact/ContactDeleted.v9.json',
    ])
    expect(() => fold([{ ...event, stream: 'contact-1', type: 'ContactVanished' }])).to.throw('does not know')
  })
})
