import { list, moment, reference, text } from '../kernel/model/fields.ts'
import { record } from '../resources/record.ts'
import { team } from './owners.ts'

/**
 * API keys: issued and revoked by the operator's command line, looked up by hash on every request. A key is revoked by taking
 * its hash away. No endpoints.
 */
export const apiKey = record({
  name: 'api_key',
  title: 'Team',
  root: 'api_key',
  category: 'account',
  under: team,
  attributes: {
    /** SHA-256 of the token: the token itself is shown once and kept nowhere. */
    hash: text({ shown: 'never' }),
    /** First characters of the token, by which people recognise it. */
    hint: text(),
    label: text(),
    scopes: list(text()),
    user_id: reference('user'),
    membership_id: reference('membership'),
    /** The only workspace that the key reaches; `null`: all of the team's. */
    only_workspace_id: reference('workspace'),
    revoked_at: moment(),
  },
  events: {
    ApiKeyIssued: { creates: true, except: ['revoked_at'] },
    ApiKeyRevoked: { constants: { hash: null }, stamps: 'revoked_at' },
  },
  indexes: [{ fields: ['hash'] }, { fields: ['team_id'] }],
  operations: {},
})
