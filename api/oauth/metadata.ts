import { REQUESTABLE_SCOPES } from '../../domain/account/platform/public.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { SCOPES } from '../../domain/kernel/values/scopes.ts'
import { AUTHORIZE, REGISTER, REVOKE, TOKEN } from './paths.ts'

const AUTH_METHODS = ['none', 'client_secret_post', 'client_secret_basic']

/** Returns the metadata of the authorization server (RFC 8414). */
export const serverMetadata = (issuer: string): JsonObject => ({
  issuer,
  authorization_endpoint: issuer + AUTHORIZE,
  token_endpoint: issuer + TOKEN,
  registration_endpoint: issuer + REGISTER,
  revocation_endpoint: issuer + REVOKE,
  scopes_supported: [...REQUESTABLE_SCOPES],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: AUTH_METHODS,
  revocation_endpoint_auth_methods_supported: AUTH_METHODS,
  resource_indicators_supported: true,
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: `${issuer}/api/v2/reference`,
})

/** Returns the metadata of the API as a protected resource (RFC 9728), under the path by which a client knows it. */
export const apiMetadata = (issuer: string, path: string): JsonObject => ({
  resource: issuer + path,
  authorization_servers: [issuer],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
  resource_documentation: `${issuer}/api/v2/reference`,
})
