import type { Where } from '../../kernel/ports/read-models.ts'
import { type Batch, policy } from '../../kernel/react/policy.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
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
