import { Type } from 'typebox'
import type { Aggregate, Command } from '../kernel/decider.ts'
import type { DomainEvent } from '../kernel/event.ts'
import { firstVersions } from '../kernel/event-types.ts'
import type { Resource } from '../kernel/resource.ts'
import { list, show, workspace } from '../kinds/operations.ts'
import { picker, propertiesOf } from '../kinds/pick.ts'
import { dateTime } from '../kinds/schemas.ts'

export type DomainCommand = Command & { readonly type: 'ConnectDomain'; readonly name: string }

export const domainAggregate: Aggregate<{ readonly connected: boolean }, DomainCommand> = {
  name: 'domain',
  initial: { connected: false },
  events: firstVersions('DomainConnected'),
  decide: (state, command) => (state.connected ? [] : [{ type: 'DomainConnected', data: { name: command.name } }]),
  evolve: (_state, _event: DomainEvent) => ({ connected: true }),
}

const schema = Type.Object({
  id: Type.Integer(),
  public_id: Type.String(),
  workspace_id: Type.Integer(),
  name: Type.String(),
  status: Type.Enum(['initialized', 'connecting', 'ownership_verified', 'securing', 'secured', 'removing']),
  connected: Type.Boolean({ description: 'Fully connected and active' }),
  created_at: dateTime,
  updated_at: dateTime,
})

/** Domain: hosts that pages of a workspace are served under; the first is its own from the start. Read-only. */
export const domain: Resource = {
  name: 'domain',
  tag: 'Domain',
  root: 'domain',
  category: 'sites',
  under: workspace,
  aggregate: domainAggregate,
  documents: {
    version: 1,
    evolve: (document, event) => ({ ...document, ...event.data, status: 'secured', connected: true }),
    indexes: [{ fields: ['workspace_id'] }],
  },
  view: { schema, present: picker(propertiesOf(schema)) },
  operations: { listDomains: list('/workspaces/{workspace_id}/domains'), getDomain: show('/domains/{id}') },
}
