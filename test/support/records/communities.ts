import { contact } from './contact.ts'
import { creatable, inWorkspace, unique } from './making.ts'

const community = creatable(async () => ({ name: unique('Potters') }), inWorkspace('/communities'), 'community')
const group = creatable(
  async () => ({ name: unique('Kilns') }),
  async (tenant) => `/communities/${await community.make(tenant)}/space_groups`,
  'communities_space_group',
)
const space = creatable(
  async () => ({ name: unique('Glazes') }),
  async (tenant) => `/communities/space_groups/${await group.make(tenant)}/spaces`,
  'communities_space',
)
const ofContact = (path: string, root: string) =>
  creatable(
    async (tenant) => ({ contact_id: await contact.make(tenant) }),
    async (tenant) => `/communities/${await community.make(tenant)}/${path}`,
    root,
  )

export const communityMakers = {
  community,
  'communities/space_group': group,
  'communities/space': space,
  'communities/membership': ofContact('memberships', 'communities_membership'),
  'communities/ban': ofContact('bans', 'communities_ban'),
}
