import { expect } from 'chai'
import { upcasterOf } from '../../domain/kernel/decide/upcast.ts'
import { text } from '../../domain/kernel/model/fields.ts'
import { workspace } from '../../domain/resources/operations.ts'
import { record } from '../../domain/resources/record.ts'
import type { Resource } from '../../domain/resources/resource.ts'
import { createProjection } from '../../projections/projection.ts'
import { MemoryReadModels } from '../support/memory/read-models.ts'
import { at, ids, OpenVault } from '../support/projection.ts'

const named = (name: string) =>
  ({
    ...{ name, title: 'Test', root: 'test', category: 'store' as const, under: workspace },
    attributes: { name: text() },
    events: { [`${name} made`]: { creates: true }, [`${name} named`]: { sets: ['name'] } },
    operations: {},
  }) as const

const other = record(named('tests/other'))
const thing: Resource = record({
  ...named('tests/thing'),
  joined: [{ aggregate: 'tests/other', fields: ({ metadata }) => [{ id: 1, set: { updated_at: metadata.at } }] }],
})

describe('the time of a change that another stream makes', () => {
  const recorded = (name: string, type: string, revision: number, position: number) => ({
    id: `${position}`,
    type: `${name} ${type}`,
    data: { name: type },
    stream: `${name}-1`,
    revision,
    position,
    metadata: { at: at(position), actor: 'k', $correlationId: 'c', $causationId: 'c', workspace_id: 7 },
  })
  const events = [
    recorded('tests/thing', 'made', 0, 0),
    recorded('tests/other', 'made', 0, 1),
    recorded('tests/thing', 'named', 1, 2),
  ]

  it('counts, and never moves back when events are delivered again', async () => {
    const models = new MemoryReadModels()
    const resources = [thing, other]
    const upcast = upcasterOf([thing.aggregate, other.aggregate])
    const project = createProjection({ resources, vault: new OpenVault(), upcast, publicIds: ids })
    const times: unknown[] = []
    for (const event of [...events, ...events.slice(1)]) {
      await project([event], models)
      times.push(models.get('tests/thing', 1)?.updated_at)
    }
    expect(times).to.deep.equal([0, 1, 2, 2, 2].map(at))
    expect(models.get('tests/thing', 1)?.rev).to.equal(1)
    expect(models.get('tests/thing', 1)?.joined_from).to.deep.equal(['tests/other-1'])
  })
})
