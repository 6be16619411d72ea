import { nameFilter } from '../resources/attributes/unique-name.ts'
import { byId } from '../resources/operations.ts'
import { tag } from '../resources/tag.ts'

/** Funnels::Tag: a label for funnels, unique in its workspace. A funnel shows only tags that still exist. */
export const funnelTag = tag('funnels/tag', {
  ...{ title: 'Funnels::Tag', root: 'funnels_tag', category: 'funnels' },
  events: ['FunnelsTagCreated', 'FunnelsTagChanged', 'FunnelsTagRemoved'],
  paths: ['/workspaces/{workspace_id}/funnels/tags', '/funnels/tags/{id}'],
  operations: ['listFunnelsTags', 'createFunnelsTags', 'getFunnelsTags', 'updateFunnelsTags', 'removeFunnelsTags'],
  filters: { id: byId, name: nameFilter },
})
