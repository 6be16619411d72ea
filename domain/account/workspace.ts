import { decider } from '../kernel/decide/decider.ts'
import { type DecisionContext, rules } from '../kernel/decide/rules.ts'
import { managed } from '../kernel/model/field.ts'
import { text } from '../kernel/model/fields.ts'
import { model } from '../kernel/model/model.ts'
import type { Where } from '../kernel/ports/read-models.ts'
import { refuse } from '../kernel/values/refusal.ts'
import { timeZone } from '../resources/attributes/time-zone.ts'
import { list, show } from '../resources/operations.ts'
import { serve } from '../resources/serve.ts'
import { changes } from '../resources/writes.ts'
import { agentActs, agentAttributes, agentEvents, agentOperations } from './agent-settings.ts'
import { clockActs, clockAttributes, clockEvents } from './clock.ts'
import { clockOperations } from './clock-operations.ts'
import { backgroundOperations } from './failures.ts'
import { team } from './owners.ts'

const SUBDOMAIN = {
  test: /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
  says: 'may only have lower-case letters, digits and hyphens',
}

/** Time after its creation in which a workspace may change its subdomain. The contract only says "right after". */
const SUBDOMAIN_GRACE_MS = 24 * 60 * 60 * 1000

/** Workspace, to which every business record belongs. The operator creates it at the command line. */
export const workspace = model('workspace', {
  attributes: {
    name: text({ required: true }),
    subdomain: text({
      ...{ required: true, max: 63, form: SUBDOMAIN },
      consequence: { says: 'changes the address of all pages' },
    }),
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
  },
  unique: [{ attributes: ['subdomain'], within: 'everywhere', says: 'Subdomain has already been taken' }],
})

const checkSubdomain = ({ before, after, at }: DecisionContext<typeof workspace>) => {
  if (!before || after.subdomain === before.subdomain) return undefined
  if (Date.parse(at) - Date.parse(before.created_at) <= SUBDOMAIN_GRACE_MS) return undefined
  const message = 'Subdomain can only be changed right after the workspace was created'
  return refuse.invalid(message, 'subdomain', 'immutable')
}

export const workspaces = decider(workspace, {
  rules: rules(workspace, { save: [checkSubdomain], acts: { ...clockActs, ...agentActs } }),
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
