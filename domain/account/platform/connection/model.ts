import { managed } from '../../../kernel/model/field.ts'
import { choice, list, reference, text } from '../../../kernel/model/fields.ts'
import { model, type RecordOf } from '../../../kernel/model/model.ts'

/** Kinds of platform tokens: one is sent with requests, by the other an application gets more of them. */
export const TOKEN_KINDS = ['access', 'refresh'] as const

/** Platform token as stored. */
export type PlatformTokenRecord = RecordOf<typeof platformToken>

/** Token of a connection. It does not expire, and is revoked by removing it. */
export const platformToken = model('platform_token', {
  stream: 'platform_application/connection',
  owner: 'connection_id',
  attributes: {
    /** SHA-256 of the token. The token itself is shown once and stored nowhere. */
    hash: text({ required: true, shown: 'never' }),
    kind: choice(TOKEN_KINDS, { required: true }),
    scopes: list(text(), { required: true }),
  },
  events: { PlatformTokenIssued: { creates: true }, PlatformTokenRevoked: { ends: true } },
})

/** Connection as stored. */
export type ConnectionRecord = RecordOf<typeof connection> & { readonly team_id: number; readonly workspace_id: number }

/**
 * Permission of a person for an application to act as that person in one workspace. It ends with the membership of the person in the team, and its tokens
 * with it.
 */
export const connection = model('platform_application/connection', {
  attributes: {
    // Policies of this family end it with either of these, because its events are those of its workspace.
    platform_application_id: managed(reference('platform_application', { required: true, onTargetEnd: 'keep' })),
    user_id: managed(reference('user', { required: true, onTargetEnd: 'keep' })),
    membership_id: managed(reference('membership', { required: true, onTargetEnd: 'keep' })),
    scopes: managed(list(text(), { required: true })),
  },
  events: {
    PlatformApplicationConnected: { creates: true },
    /** The person agreed once more, and to other scopes. */
    PlatformApplicationReconnected: { sets: ['scopes'] },
    PlatformApplicationDisconnected: { ends: true },
  },
  children: { tokens: { model: platformToken, key: 'platform_token_id', keys: 'platform_token_ids' } },
  unique: [{ attributes: ['platform_application_id', 'membership_id'], says: 'Application is connected already' }],
})
