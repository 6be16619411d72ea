import { expect } from 'chai'
import { contactTag } from '../../domain/contacts/tag.ts'
import { resources } from '../../domain/index.ts'
import { flag, integer, text } from '../../domain/kernel/model/fields.ts'
import { type Fingerprints, UNMAINTAINED } from '../../domain/kernel/ports/read-models.ts'
import { workspace } from '../../domain/resources/operations.ts'
import { record } from '../../domain/resources/record.ts'
import type { Resource } from '../../domain/resources/resource.ts'
import { differenceOf, fingerprintsOf } from '../../projections/fingerprints.ts'

const frame = {
  name: 'tests/thing',
  title: 'Tests::Thing',
  root: 'tests_thing',
  category: 'store',
  under: workspace,
  operations: {},
} as const
const attributes = { name: text({ required: true }), size: integer({ default: 1 }) }
const events = {
  ThingMade: { creates: true },
  ThingChanged: { changes: 'rest' },
  ThingRemoved: { ends: true },
} as const
const thing = record({ ...frame, attributes, events })
const others = [contactTag]

/** The difference when the declaration of the thing changes. */
const difference = (now: Resource, before: Resource = thing) =>
  differenceOf([...others, now], fingerprintsOf([...others, before]))

describe('the fingerprints of collections', () => {
  it('are made for each collection, and survive JSON', () => {
    const fingerprints = fingerprintsOf(resources)
    expect([...fingerprints.keys()]).to.deep.equal(resources.map(({ name }) => name))
    const kept: Fingerprints = new Map(JSON.parse(JSON.stringify([...fingerprints])))
    expect(differenceOf(resources, kept)).to.deep.equal({
      changed: [],
      unfit: undefined,
      isWhole: false,
      until: undefined,
    })
  })

  const sameSized = { ...attributes, size: integer({ default: 2 }) }
  const changes: Record<string, Resource> = {
    'data of an event': record({ ...frame, attributes, events: { ...events, ThingChanged: { sets: ['name'] } } }),
    'a constant': record({
      ...frame,
      attributes,
      events: { ...events, ThingMade: { creates: true, constants: { size: 3 } } },
    }),
    'an event': record({ ...frame, attributes, events: { ...events, ThingSized: { sets: ['size'] } } }),
    'whether there is a fold': record({
      ...frame,
      attributes,
      events: { ...events, ThingMade: { creates: true, evolve: () => ({}) } },
    }),
    'the version of its functions': record({ ...frame, attributes, events, version: 2 }),
    'derived fields': record({ ...frame, attributes, events, derives: { version: 1, of: () => ({}) } }),
    'a default': record({ ...frame, attributes: sameSized, events }),
    'the lack of an attribute': record({ ...frame, attributes: { name: attributes.name }, events }),
    'how its public ids are spelled': { ...thing, spelledAs: 'tests/other' },
    'what a plain resource says itself': { ...thing, documents: { ...thing.documents, version: 2 } },
  }
  for (const [what, now] of Object.entries(changes)) {
    it(`tell ${what}, and the old documents will do`, () => {
      const { changed, unfit, isWhole } = difference(now)
      expect({ changed, unfit, isWhole }).to.deep.equal({ changed: ['tests/thing'], unfit: undefined, isWhole: false })
    })
  }

  it('do not depend on added attributes, facts of the moment, or rules', () => {
    const more = record({
      ...frame,
      attributes: { ...attributes, open: flag({ default: true }) },
      events: { ...events, ThingChanged: { changes: 'rest', addsData: () => ({}) } },
      unique: [{ attributes: ['name'], says: 'Name has already been taken' }],
    })
    const { changed, until } = difference(more)
    expect(changed).to.deep.equal([])
    expect(until?.get('tests/thing')?.attributes).to.deep.equal(['name null', 'size 1', 'open true'])
  })

  it('depend on indexes: the old documents suffice unless one is missing', () => {
    const indexed = record({ ...frame, attributes, events, indexes: [{ fields: ['name'] }] })
    expect(difference(indexed)).to.include({ unfit: 'tests/thing lacks an index' })
    expect(difference(thing, indexed)).to.deep.include({ changed: ['tests/thing'], unfit: undefined })
  })

  it('say that no documents suffice when no fingerprint is known', () => {
    for (const built of [undefined, new Map()])
      expect(differenceOf([...others, thing], built)).to.deep.include({
        changed: ['contacts/tag', 'tests/thing'],
        isWhole: true,
        unfit: 'nothing of what there is fits',
      })
  })

  it('accept a new collection without a rebuild, unless its events are older than it', () => {
    const before = fingerprintsOf(others)
    expect(differenceOf([...others, thing], before)).to.include({ unfit: undefined })
    const view = { ...contactTag, name: 'contacts/tag-view' }
    expect(differenceOf([...others, view], before)).to.include({ unfit: 'contacts/tag-view lacks its documents' })
  })

  it('remember collections that were not kept up to date, and those folded by several versions', () => {
    const without = differenceOf(others, fingerprintsOf([...others, thing]))
    expect([without.changed, without.until?.get('tests/thing')]).to.deep.equal([[], UNMAINTAINED])
    expect(differenceOf([...others, thing], without.until)).to.include({ unfit: 'tests/thing was not kept up' })
    const { until } = difference(changes['a constant']!)
    for (const version of [thing, changes['a constant']!])
      expect(differenceOf([...others, version], until)).to.deep.include({ changed: ['tests/thing'], unfit: undefined })
  })
})
