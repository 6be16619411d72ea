import { expect } from 'chai'
import { flag, integer, text } from '../../domain/kernel/model/fields.ts'
import { foldOf, recordOf } from '../../domain/kernel/model/fold.ts'
import { model } from '../../domain/kernel/model/model.ts'
import { viewOf } from '../../domain/resources/view.ts'
import type { Loader } from '../../domain/resources/view-types.ts'

const thing = model('tests/thing', {
  attributes: {
    name: text({ required: true }),
    open: flag({ default: true }),
    size: integer({ default: 3, shown: 'expanded' }),
    seen: flag({ default: false }),
    nick: text({ personal: true }),
  },
  events: {
    ThingMade: { creates: true },
    ThingGrew: { evolve: (record) => ({ size: (record?.size ?? 0) + 1 }) },
  },
})
const older = { id: 1, public_id: 'abc', workspace_id: 2, created_at: '', updated_at: '', name: 'Old', seen: true }

describe('a record that is older than some of its attributes', () => {
  it('has their defaults, for rules and views alike', () => {
    expect(recordOf(thing)(older)).to.include({ name: 'Old', seen: true, open: true, size: 3, nick: null })
    const newer = { ...older, open: false, size: null }
    expect(recordOf(thing)(newer)).to.include({ open: false, size: null, seen: true })
  })

  it('is folded on with them', () => {
    const metadata = { at: 'now', actor: 'key:1', $correlationId: 'c', $causationId: 'c' }
    const event = { type: 'ThingGrew', data: {}, stream: 'tests/thing-1', revision: 3, metadata }
    const after = foldOf(thing).apply(older, event, 1, String)
    expect(after).to.include({ size: 4, open: true, seen: true, rev: 3 })
  })

  it('shows them', async () => {
    const shown = await viewOf(thing, 'workspace_id', {
      wide: { schema: { type: 'boolean' }, of: ({ size }) => size > 2 },
    }).present(older, {} as Loader, new Set(['size']))
    expect(shown).to.include({ name: 'Old', open: true, seen: true, size: 3, wide: true })
  })
})
