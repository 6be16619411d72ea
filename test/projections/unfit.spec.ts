import { expect } from 'chai'
import { text } from '../../domain/kernel/model/fields.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { workspace } from '../../domain/resources/operations.ts'
import { record } from '../../domain/resources/record.ts'
import type { Joined } from '../../domain/resources/resource.ts'
import { createProjection } from '../../projections/projection.ts'
import { MemoryReadModels } from '../support/memory/read-models.ts'
import { ids, OpenVault } from '../support/projection.ts'

const served = {
  title: 'Tests::Thing',
  root: 'tests_thing',
  category: 'store',
  under: workspace,
  operations: {},
} as const
const joined: readonly Joined[] = [{ aggregate: 'tests/other', fields: () => [{ id: 1, set: { joined: true } }] }]
const thing = record({
  ...served,
  name: 'tests/thing',
  attributes: { name: text({ required: true }) },
  events: {
    ThingMade: { creates: true },
    ThingNamed: { sets: ['name'] },
    ThingSpelled: { evolve: (before) => ({ name: before!.name.toUpperCase() }) },
  },
  joined,
})

const event = (type: string, revision: number, data = {}, stream = 'tests/thing-1'): RecordedEvent => ({
  id: `${stream} ${revision}`,
  type,
  data,
  stream,
  revision,
  position: revision,
  metadata: { at: '2026-03-01T09:00:00.000Z', actor: 'key:1', $correlationId: 'c', $causationId: 'c', workspace_id: 7 },
})

describe('a projection onto documents of another version', () => {
  const parts = { resources: [thing], vault: new OpenVault(), upcast: <E>(one: E) => one, publicIds: ids }
  const onto = async () => {
    const models = new MemoryReadModels()
    const document = { id: 1, name: ['of', 'before'], rev: 0 }
    await models.apply([{ collection: 'tests/thing', id: 1, document, position: 0 }], 0)
    return models
  }

  it('leaves a document unchanged that cannot be folded further, and continues', async () => {
    const models = await onto()
    const project = createProjection({ ...parts, unfit: ['tests/thing'] })
    await project([event('ThingSpelled', 1)], models)
    expect(models.get('tests/thing', 1)).to.deep.equal({ id: 1, name: ['of', 'before'], rev: 0 })
    expect(models.checkpoint()).to.equal(1)
    await project([event('ThingNamed', 2, { name: 'new' })], models)
    expect(models.get('tests/thing', 1)).to.include({ name: 'new', rev: 2 })
  })

  it('does so only for collections that are being rebuilt', async () => {
    const models = await onto()
    const error = await createProjection(parts)([event('ThingSpelled', 1)], models).catch((failed: Error) => failed)
    expect(error).to.be.instanceOf(TypeError)
  })

  it('joins events of streams from which it builds no documents', async () => {
    const models = await onto()
    await createProjection(parts)([event('OtherChanged', 4, {}, 'tests/other-5')], models)
    expect(models.get('tests/thing', 1)).to.include({ joined: true })
  })
})
