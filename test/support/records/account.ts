import { membership } from '../../../domain/account/team-model.ts'
import { teams } from '../../../domain/account/team-rules.ts'
import { user } from '../../../domain/account/user.ts'
import { ask, within } from '../../../domain/kernel/decide/ask.ts'
import { ok } from '../client.ts'
import type { Tenant } from '../service.ts'
import { type RecordMaker, unique } from './making.ts'

const addressFor = (tenant: Tenant): string => `${unique('person').replace(' ', '-')}.${tenant.teamId}@example.com`

const invitationFields = async (tenant: Tenant) => ({ email: addressFor(tenant), role_ids: ['member'] })

/** Makes a user who is a member of the team. */
export const memberOf = async (
  tenant: Tenant,
  role_ids: readonly ('admin' | 'member')[] = ['member'],
): Promise<{ readonly id: number; readonly userId: number; readonly email: string }> => {
  if (!tenant.carryOut || !tenant.mint) throw new Error('members are made within the process of the service')
  const email = addressFor(tenant)
  const person = { email, first_name: 'Mia', last_name: 'Member', locale: 'en', platform_agent: false }
  const userId = await tenant.carryOut(ask(user.aggregate, 'new', 'create', person))
  const member = { user_id: userId, platform_agent: false, role_ids }
  const id = await tenant.mint(membership)
  await tenant.carryOut(ask(within(teams, tenant.teamId, membership), id, 'create', member))
  return { id, userId, email }
}

/** Makers of the people of a team. */
export const accountMakers: Readonly<Record<string, RecordMaker>> = {
  membership: {
    by: { updateMemberships: async () => ({ role_ids: ['admin'] }) },
    // In another process nobody can be made a member, so it is the owner.
    make: async (tenant) =>
      tenant.carryOut
        ? (await memberOf(tenant)).id
        : ok(await tenant.api.get(`/teams/${tenant.teamId}/memberships`))[0].id,
  },
  invitation: {
    fields: invitationFields,
    async make(tenant) {
      const api = await tenant.withScopes(['account:write'], 'team')
      return ok(await api.post(`/teams/${tenant.teamId}/invitations`, { invitation: await invitationFields(tenant) }))
        .id
    },
  },
}
