import { Type } from 'typebox'
import type { Aggregate, Command } from '../kernel/decider.ts'
import type { DomainEvent, JsonObject } from '../kernel/event.ts'
import { firstVersions } from '../kernel/event-types.ts'
import type { FieldTable } from '../kernel/field.ts'
import { text } from '../kernel/fields.ts'
import type { Where } from '../kernel/ports/read-models.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Resource } from '../kernel/resource.ts'
import { basics, changedOnly } from '../kinds/former.ts'
import { change, list, show } from '../kinds/operations.ts'
import { picker, propertiesOf } from '../kinds/pick.ts'
import { nullableDateTime, nullableString } from '../kinds/schemas.ts'
import { team } from './owners.ts'

const SUBDOMAIN = {
  test: /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
  says: 'may only have lower-case letters, digits and hyphens',
}

/** How long a new workspace's subdomain may still be changed; the contract only says "right after". */
const SUBDOMAIN_GRACE_MS = 24 * 60 * 60 * 1000

const fields: FieldTable = {
  name: text({ required: true }),
  subdomain: text({ required: true, max: 63, form: SUBDOMAIN }),
}

interface WorkspaceState {
  readonly openedAt: string | null
  readonly values: JsonObject
}

export type WorkspaceCommand = Command & {
  readonly type: 'OpenWorkspace' | 'ChangeWorkspace'
  readonly values: JsonObject
}

export const workspaceAggregate: Aggregate<WorkspaceState, WorkspaceCommand> = {
  name: 'workspace',
  initial: { openedAt: null, values: {} },
  events: firstVersions('WorkspaceOpened', 'WorkspaceChanged'),
  decide(state, command) {
    if (command.type === 'OpenWorkspace')
      return state.openedAt ? [] : [{ type: 'WorkspaceOpened', data: command.values }]
    if (!state.openedAt) return refuse.notFound()
    const data = changedOnly(state.values, command.values)
    const late = Date.parse(command.at) - Date.parse(state.openedAt) > SUBDOMAIN_GRACE_MS
    if (data.subdomain !== undefined && late) {
      return refuse.invalid(
        'Subdomain can only be changed right after the workspace was created',
        'subdomain',
        'immutable',
      )
    }
    return Object.keys(data).length === 0 ? [] : [{ type: 'WorkspaceChanged', data }]
  },
  evolve(state, event: DomainEvent & { readonly metadata: { readonly at: string } }) {
    return { openedAt: state.openedAt ?? event.metadata.at, values: { ...state.values, ...event.data } }
  },
  claims: ({ openedAt, values }) =>
    openedAt
      ? [
          {
            scope: 'workspace.subdomain',
            value: String(values.subdomain),
            field: 'subdomain',
            says: 'Subdomain has already been taken',
          },
        ]
      : [],
}

const workspaceSchema = Type.Object({
  id: Type.Integer(),
  public_id: nullableString,
  team_id: Type.Integer(),
  name: Type.String(),
  subdomain: Type.String(),
  created_at: nullableDateTime,
  updated_at: nullableDateTime,
})

/** Workspace: what every record of the business belongs to. Made by the operator's command line. */
export const workspace: Resource = {
  name: 'workspace',
  tag: 'Workspace',
  root: 'workspace',
  category: 'account',
  under: team,
  aggregate: workspaceAggregate,
  documents: { version: 1, evolve: (document, event) => ({ ...document, ...event.data }) },
  view: { schema: workspaceSchema, present: picker(propertiesOf(workspaceSchema)) },
  operations: {
    listWorkspaces: list('/teams/{team_id}/workspaces', {
      sorts: ['id', 'updated_at', 'name'],
      ofCaller: ({ workspaceId }): Where => (workspaceId === null ? {} : { id: workspaceId }),
    }),
    getWorkspaces: show('/workspaces/{id}'),
    updateWorkspaces: change('/workspaces/{id}', 'workspace', fields, {
      command: (input) => ({ type: 'ChangeWorkspace', values: input.fields, ...basics(input) }),
    }),
  },
}
