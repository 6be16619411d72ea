import { list, moment, reference, text } from '../kernel/model/fields.ts'
import { record } from '../resources/record.ts'
import { team } from './owners.ts'

/**
 * API keys. The operator issues and revokes them at the command line, and an application gets them for the team that owns it. Every request looks one up
 * by its hash. A key is revoked by removing its hash. They have no endpoints.
 */
export const apiKey = record({
  name: 'api_key',
  title: 'Team',
  root: 'api_key',
  category: 'account',
  under: team,
  attributes: {
    /** SHA-256 of the token. The token itself is shown once and stored nowhere. */
    hash: text({ shown: 'never' }),
    /** First characters of the token, so that people can recognize it. */
    hint: text(),
    label: text(),
    scopes: list(text()),
    user_id: reference('user'),
    membership_id: reference('membership', { onTargetEnd: 'keep' }),
    /** The person who made it; `null` for the operator. The key belongs to the team and outlives the membership. */
    made_by_id: reference('user', { onTargetEnd: 'keep' }),
    /** The only workspace that the key gives access to; `null` for all workspaces of the team. */
    only_workspace_id: reference('workspace'),
    /** Application that got the key by its own secret; `null`: the operator issued it. Policies of this family revoke it with the secret. */
    platform_application_id: reference('platform_application', { onTargetEnd: 'keep' }),
    revoked_at: moment(),
  },
  events: {
    ApiKeyIssued: { creates: true, except: ['revoked_at'] },
    ApiKeyRevoked: { constants: { hash: null }, stamps: 'revoked_at' },
  },
  indexes: [{ fields: ['hash'] }, { fields: ['team_id'] }, { fields: ['platform_application_id'] }],
  operations: {},
})
