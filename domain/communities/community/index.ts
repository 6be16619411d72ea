import { Type } from 'typebox'
import { text } from '../../kernel/model/fields.ts'
import { pathFrom } from '../../resources/attributes/made-path.ts'
import { crud } from '../../resources/crud.ts'
import { list, show, workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { changes, creates } from '../../resources/writes.ts'
import { kept } from '../kept.ts'
import { community, space, spaceGroup } from './model.ts'
import { communities } from './rules.ts'

const COMMUNITIES = '/workspaces/{workspace_id}/communities'

const workspace_id = { schema: Type.Integer(), of: (of: { readonly workspace_id?: number }) => of.workspace_id ?? 0 }

const named = kept('name', text({ nullable: true, trim: true, keepsBlank: true, about: 'null: stays as it is' }))

const ordered = { list: { sorts: ['id', 'updated_at', 'sort_order'] }, change: named }

/** Ownership of what belongs to a community. */
export const underCommunity = { param: 'community_id', resource: community.name, field: 'community_id' } as const

/** Community. */
export const communityResource = serve(community, communities, {
  title: 'Community',
  root: 'community',
  category: 'community',
  under: workspace,
  indexes: [{ fields: ['workspace_id', 'current_path'] }, { fields: ['workspace_id', 'former_paths'] }],
  reads: ['image'],
  // A workspace has one site, with its own id.
  view: { site_id: workspace_id },
  operations: {
    listCommunities: list(COMMUNITIES),
    createCommunities: creates(COMMUNITIES, {
      makes: { current_path: pathFrom(community.name, 'community', 'name', 'former_paths') },
    }),
    getCommunities: show('/communities/{id}'),
    updateCommunities: changes('/communities/{id}', named),
  },
})

/** Communities::SpaceGroup. */
export const spaceGroupResource = serve(spaceGroup, communities, {
  title: 'Communities::SpaceGroup',
  root: 'communities_space_group',
  category: 'community',
  under: underCommunity,
  reads: ['image'],
  view: { workspace_id },
  operations: crud(
    'CommunitiesSpaceGroups',
    '/communities/{community_id}/space_groups',
    '/communities/space_groups/{id}',
    ordered,
  ),
})

/** Communities::Space. */
export const spaceResource = serve(space, communities, {
  title: 'Communities::Space',
  root: 'communities_space',
  category: 'community',
  under: { param: 'space_group_id', resource: spaceGroup.name, field: 'space_group_id' },
  indexes: [{ fields: ['community_id'] }],
  reads: ['image'],
  view: { workspace_id },
  operations: crud(
    'CommunitiesSpaces',
    '/communities/space_groups/{space_group_id}/spaces',
    '/communities/spaces/{id}',
    ordered,
  ),
})
