import { managed } from '../../../kernel/model/field.ts'
import { flag, list, moment, text } from '../../../kernel/model/fields.ts'
import { model, type RecordOf } from '../../../kernel/model/model.ts'
import { redirectUri } from '../redirect-uri.ts'

const MOST_REDIRECT_URIS = 20

/** Platform application as stored. */
export type ApplicationRecord = RecordOf<typeof platformApplication>

/** Program of somebody else that people connect with their workspaces by OAuth 2. A team owns it. */
export const platformApplication = model('platform_application', {
  attributes: {
    name: text({ required: true, trim: true, max: 80 }),
    redirect_uris: list(redirectUri, {
      required: true,
      max: MOST_REDIRECT_URIS,
      about: 'Where people may be sent back to; compared byte for byte',
    }),
    confidential: flag({
      default: true,
      immutable: true,
      about:
        'Whether it can keep a secret. One that runs on the computers of its users cannot; it proves itself by PKCE',
    }),
    shared: flag({ default: false, about: 'Whether members of other teams may connect it, too' }),
    client_id: managed(text()),
    /** What the secret is derived from (see secret.ts). */
    secret_nonce: managed(text(), { shown: 'never' }),
    secret_rotated_at: managed(moment({ nullable: true })),
  },
  events: {
    PlatformApplicationRegistered: { creates: true, except: ['secret_rotated_at'] },
    PlatformApplicationChanged: { changes: 'rest' },
    PlatformApplicationSecretRotated: { sets: ['secret_nonce'], stamps: 'secret_rotated_at' },
    PlatformApplicationRemoved: { ends: true },
  },
  unique: [{ attributes: ['client_id'], within: 'everywhere', says: 'Client id has already been taken' }],
})
