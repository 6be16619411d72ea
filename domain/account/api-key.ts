import { Type } from 'typebox'
import type { Aggregate, Command } from '../kernel/decider.ts'
import type { DomainEvent, JsonObject } from '../kernel/event.ts'
import { firstVersions } from '../kernel/event-types.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Resource } from '../kernel/resource.ts'
import { team } from './owners.ts'

export interface IssuedKey extends JsonObject {
  /** SHA-256 of the token: the token itself is shown once and kept nowhere. */
  readonly hash: string
  /** First characters of the token, by which people recognise it. */
  readonly hint: string
  readonly label: string
  readonly scopes: readonly string[]
  readonly user_id: number
  readonly membership_id: number
  /** The only workspace that the key reaches; `null`: all of the team's. */
  readonly only_workspace_id: number | null
}

export type ApiKeyCommand = Command &
  ({ readonly type: 'IssueApiKey'; readonly key: IssuedKey } | { readonly type: 'RevokeApiKey' })

type ApiKeyState = 'absent' | 'valid' | 'revoked'

export const apiKeyAggregate: Aggregate<ApiKeyState, ApiKeyCommand> = {
  name: 'api_key',
  initial: 'absent',
  events: firstVersions('ApiKeyIssued', 'ApiKeyRevoked'),
  decide(state, command) {
    if (command.type === 'IssueApiKey') return state === 'absent' ? [{ type: 'ApiKeyIssued', data: command.key }] : []
    if (state === 'absent') return refuse.notFound('No such API key')
    return state === 'valid' ? [{ type: 'ApiKeyRevoked', data: {} }] : []
  },
  evolve: (_state, event: DomainEvent) => (event.type === 'ApiKeyRevoked' ? 'revoked' : 'valid'),
}

/** API keys: issued and revoked by the operator's command line, looked up by hash on every request. No endpoints. */
export const apiKey: Resource = {
  name: 'api_key',
  tag: 'Team',
  root: 'api_key',
  category: 'account',
  under: team,
  aggregate: apiKeyAggregate,
  documents: {
    version: 1,
    evolve: (document, event) =>
      event.type === 'ApiKeyRevoked'
        ? { ...document, revoked_at: event.metadata.at, hash: null }
        : { ...document, ...event.data, revoked_at: null },
    indexes: [{ fields: ['hash'] }, { fields: ['team_id'] }],
  },
  view: { schema: Type.Object({}), present: () => ({}) },
  operations: {},
}
