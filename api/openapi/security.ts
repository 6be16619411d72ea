import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { SCOPES } from '../../domain/kernel/values/scopes.ts'
import { AUTHORIZE, TOKEN } from '../oauth/paths.ts'
import { scopeWords } from '../oauth/scopes.ts'

/** Ways in which clients prove themselves (spec 5). Both have the same scopes. Addresses are relative to where the document was read. */
export const SECURITY_SCHEMES: JsonObject = {
  BearerAuth: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key of a workspace or team, or an access token of a platform application; the scope that an operation needs is listed with it. Without contacts:read nothing personal of a contact is shown, wherever it stands.',
  },
  OAuth2: {
    type: 'oauth2',
    description: 'For platform applications: a person connects them with a workspace.',
    flows: {
      authorizationCode: {
        authorizationUrl: AUTHORIZE,
        tokenUrl: TOKEN,
        refreshUrl: TOKEN,
        scopes: Object.fromEntries(SCOPES.map((scope) => [scope, scopeWords([scope], 'api').join('; ')])),
      },
    },
  },
}

/** Returns what an operation takes: a token with a scope, however the client got it. */
export const securityWith = (scopes: readonly string[]): readonly JsonObject[] =>
  Object.keys(SECURITY_SCHEMES).map((scheme) => ({ [scheme]: scopes }))
