import { decider } from '../kernel/decide/decider.ts'
import { rules } from '../kernel/decide/rules.ts'
import { managed } from '../kernel/model/field.ts'
import { text } from '../kernel/model/fields.ts'
import { model } from '../kernel/model/model.ts'
import type { Where } from '../kernel/ports/read-models.ts'
import { timeZone } from '../resources/attributes/time-zone.ts'
import { list, show } from '../resources/operations.ts'
import { serve } from '../resources/serve.ts'
import { changes } from '../resources/writes.ts'
import { agentActs, agentAttributes, agentEvents, agentOperations } from './agent-settings.ts'
import { clockActs, clockAttributes, clockEvents } from './clock.ts'
import { clockOperations } from './clock-operations.ts'
import { backgroundOperations } from './failures.ts'
import { team } from './owners.ts'
import {
  formerNameClaims,
  giveUpName,
  subdomainActs,
  subdomainAttributes,
  subdomainEvents,
  subdomainTimers,
  uniqueSubdomain,
} from './subdomain.ts'

/** Workspace, to which every business record belongs. The operator creates it at the command line. */
export const workspace = model('workspace', {
  attributes: {
    name: text({ required: true }),
    ...subdomainAttributes,
    currency: managed(text(), { shown: 'never' }),
    time_zone: timeZone({ default: null, about: 'Human-readable zone name, or one of the tz database' }),
    ...clockAttributes,
    ...agentAttributes,
  },
  events: {
    WorkspaceOpened: { creates: true, only: ['name', 'subdomain', 'currency', 'test'] },
    WorkspaceChanged: { changes: 'rest' },
    ...clockEvents,
    ...agentEvents,
    ...subdomainEvents,
  },
  unique: [uniqueSubdomain],
  timers: subdomainTimers,
})

export const workspaces = decider(workspace, {
  rules: rules(workspace, {
    save: [giveUpName],
    acts: { ...clockActs, ...agentActs, ...subdomainActs },
    timers: { 'former-subdomains': 'freeFormerNames' },
  }),
  claims: formerNameClaims,
})

/** Workspace. */
export const workspaceResource = serve(workspace, workspaces, {
  title: 'Workspace',
  root: 'workspace',
  category: 'account',
  under: team,
  // Used to find the test workspaces, whose clocks are tracked.
  indexes: [{ fields: ['test'] }],
  operations: {
    listWorkspaces: list('/teams/{team_id}/workspaces', {
      sorts: ['id', 'updated_at', 'name'],
      ofCaller: ({ workspaceId }): Where => (workspaceId === null ? {} : { id: workspaceId }),
    }),
    getWorkspaces: show('/workspaces/{id}'),
    updateWorkspaces: changes('/workspaces/{id}', { consequence: null }),
    ...clockOperations,
    ...agentOperations,
    ...backgroundOperations,
  },
})
