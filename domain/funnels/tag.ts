import { byId, list, show, textFilter } from '../resources/operations.ts'
import { record } from '../resources/record.ts'
import { tag } from '../resources/tag.ts'
import { changes, creates, removes } from '../resources/writes.ts'

const TAGS = '/workspaces/{workspace_id}/funnels/tags'

/** Funnels::Tag: a name to put on funnels, unique in its workspace. A funnel shows only those of its tags that are still there. */
export const funnelTag = record({
  name: 'funnels/tag',
  title: 'Funnels::Tag',
  root: 'funnels_tag',
  category: 'funnels',
  ...tag,
  events: {
    FunnelsTagCreated: { creates: true },
    FunnelsTagChanged: { changes: 'rest' },
    FunnelsTagRemoved: { ends: true },
  },
  operations: {
    listFunnelsTags: list(TAGS, { filters: { id: byId, name: textFilter('name') } }),
    createFunnelsTags: creates(TAGS),
    getFunnelsTags: show('/funnels/tags/{id}'),
    updateFunnelsTags: changes('/funnels/tags/{id}'),
    removeFunnelsTags: removes('/funnels/tags/{id}'),
  },
})
