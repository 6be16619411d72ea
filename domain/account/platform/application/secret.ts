import { Type } from 'typebox'
import { recordOf } from '../../../kernel/model/fold.ts'
import type { Secrets } from '../../../kernel/ports/secrets.ts'
import type { ShownOnce } from '../../../resources/operation.ts'
import { nullable } from '../../../resources/schemas.ts'
import { type ApplicationRecord, platformApplication } from './model.ts'

const PURPOSE = 'platform-application'

const asBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Returns the secret of an application; `null` for a public one. It is stored nowhere. */
export const clientSecretOf = (
  secrets: Secrets,
  { id, confidential, secret_nonce }: Pick<ApplicationRecord, 'id' | 'confidential' | 'secret_nonce'>,
): string | null => (confidential ? asBase64Url(secrets.derive(PURPOSE, `${id}:${secret_nonce}`)) : null)

const open = recordOf(platformApplication)

/** The secret, for the one answer that shows it. */
export const revealedClientSecret: ShownOnce = {
  schema: {
    client_secret: nullable(Type.String({ description: 'Shown only here; `null`: the application is public' })),
  },
  of: (document, secrets) => ({ client_secret: clientSecretOf(secrets, open(document)) }),
}
