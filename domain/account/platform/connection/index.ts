import { Type } from 'typebox'
import type { Where } from '../../../kernel/ports/read-models.ts'
import { list, show } from '../../../resources/operations.ts'
import { serve } from '../../../resources/serve.ts'
import { named } from '../../../resources/view.ts'
import { removes } from '../../../resources/writes.ts'
import { team } from '../../owners.ts'
import { platformApplication } from '../application/model.ts'
import { connection, platformToken } from './model.ts'
import { connections } from './rules.ts'

/** Tokens have no endpoints: the OAuth server alone issues and revokes them. */
export const platformTokenResource = serve(platformToken, connections, {
  title: 'PlatformApplication',
  root: 'platform_token',
  category: 'account',
  under: { param: 'connection_id', resource: connection.name, field: 'connection_id' },
  indexes: [{ fields: ['hash'] }],
  operations: {},
})

const CONNECTION = '/platform_applications/connections/{id}'

/** Connection of an application with a workspace. Webhooks show it as the application that it is about, with its workspace. */
export const connectionResource = serve(connection, connections, {
  title: 'PlatformApplication',
  root: 'platform_application_connection',
  category: 'account',
  under: team,
  indexes: [
    { fields: ['platform_application_id'] },
    { fields: ['membership_id'] },
    { fields: ['membership_id', 'platform_application_id'] },
    { fields: ['user_id'] },
  ],
  view: {
    workspace_id: { schema: Type.Integer(), of: ({ workspace_id }) => workspace_id },
    platform_application: {
      schema: named.schema,
      // A connection that ends with its application is shown to subscribers when that is gone.
      of: async ({ platform_application_id: id }, load) => {
        const found = (await load.one(platformApplication.name, id)) ?? (await load.last(platformApplication.name, id))
        return found ? named.of(found, load) : null
      },
    },
  },
  operations: {
    listPlatformApplicationsConnections: list('/teams/{team_id}/platform_applications/connections', {
      beyondContract: true,
      ofCaller: ({ workspaceId }): Where => (workspaceId === null ? {} : { workspace_id: workspaceId }),
    }),
    getPlatformApplicationsConnections: show(CONNECTION, { beyondContract: true }),
    disconnectPlatformApplications: removes(CONNECTION, {
      beyondContract: true,
      summary: 'Disconnects an application from a workspace; all of its tokens there end at once',
    }),
  },
  publishes: {
    '$platform_application.disconnected': {
      on: ['PlatformApplicationDisconnected'],
      about: 'An application was disconnected from a workspace, and its tokens there are refused from now on.',
      alias: true,
    },
  },
})
