import { type Ask, ask } from '../../kernel/decide/ask.ts'
import type { Where } from '../../kernel/ports/read-models.ts'
import { type Batch, policy } from '../../kernel/react/policy.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
import { apiKey } from '../api-key.ts'
import { credential } from '../credentials/model.ts'
import { team } from '../team-model.ts'
import { platformApplication } from './application/model.ts'
import { connection } from './connection/model.ts'
import { disconnecting } from './public.ts'

const disconnectEach = (where: Where): Batch => ({
  each: connection.name,
  where,
  one: (_, document) => disconnecting(document),
})

/** Ends the connections of an application that is removed. */
export const connectionsEndWithApplication = policy({
  name: 'connections-end-with-application',
  on: [platformApplication.event.PlatformApplicationRemoved],
  react: ({ stream }) => [disconnectEach({ platform_application_id: parseStream(stream).id })],
})

/** Ends the connections of a person who is no longer a member of the team. They were the person's own, so the tokens acted as that person. */
export const connectionsEndWithMembership = policy({
  name: 'connections-end-with-membership',
  on: [team.event.TeamMemberRemoved],
  react: ({ data: { membership_id } }) => [disconnectEach({ membership_id })],
})

/** Ends the connections that a person ended along with a new password. */
export const connectionsEndWithPassword = policy({
  name: 'connections-end-with-password',
  on: [credential.event.UserApplicationsDisconnected],
  react: ({ data: { connection_ids } }) => [disconnectEach({ id: { $in: [...connection_ids] } })],
})

/** Ends a connection that was made while its application or its membership ended: the policies of these may not have seen it. */
export const connectionsNeedBothEnds = policy({
  name: 'connections-need-both-ends',
  on: [connection.event.PlatformApplicationConnected],
  async react({ stream, data, metadata: { team_id, workspace_id } }, documents) {
    const application = await documents.everywhere.get(platformApplication.name, data.platform_application_id)
    const membership = application && (await documents.get('membership', data.membership_id))
    return membership
      ? []
      : [disconnecting({ id: parseStream(stream).id, team_id: team_id ?? null, workspace_id: workspace_id ?? null })]
  },
})

const revoking = (id: number): Ask => ask(apiKey.aggregate, id, 'change', { hash: null })

/** Revokes the keys that an application got by its secret, when the secret or the application is gone. Those of a newer secret stay, however late this runs. */
export const keysEndWithSecret = policy({
  name: 'keys-end-with-secret',
  on: [
    platformApplication.event.PlatformApplicationRemoved,
    platformApplication.event.PlatformApplicationSecretRotated,
  ],
  react: ({ stream, metadata: { at } }) => [
    {
      each: apiKey.name,
      where: { platform_application_id: parseStream(stream).id, hash: { $ne: null }, created_at: { $lte: at } },
      one: revoking,
    },
  ],
})
