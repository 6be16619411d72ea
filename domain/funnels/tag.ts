import { text } from '../kernel/fields.ts'
import { byId, list, show, textFilter, workspace } from '../kinds/operations.ts'
import { record } from '../kinds/record.ts'
import { changes, creates, removes } from '../kinds/writes.ts'

/** Colour of a tag that was made without one; the contract does not say, and every response has one. */
const DEFAULT_COLOR = '#94a3b8'

const TAGS = '/workspaces/{workspace_id}/funnels/tags'

/** Funnels::Tag: a name to put on funnels, unique in its workspace. A funnel shows only those of its tags that are still there. */
export const funnelTag = record({
  name: 'funnels/tag',
  title: 'Funnels::Tag',
  root: 'funnels_tag',
  category: 'funnels',
  under: workspace,
  attributes: { name: text({ required: true }), color: text({ default: DEFAULT_COLOR, nullable: false }) },
  events: {
    FunnelsTagCreated: { born: true },
    FunnelsTagChanged: { changes: 'rest' },
    FunnelsTagRemoved: { gone: true },
  },
  unique: [{ attributes: ['name'], says: 'Name has already been taken' }],
  operations: {
    listFunnelsTags: list(TAGS, { filters: { id: byId, name: textFilter('name') } }),
    createFunnelsTags: creates(TAGS),
    getFunnelsTags: show('/funnels/tags/{id}'),
    updateFunnelsTags: changes('/funnels/tags/{id}'),
    removeFunnelsTags: removes('/funnels/tags/{id}'),
  },
})
