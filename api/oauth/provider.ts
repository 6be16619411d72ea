import { generateKeyPairSync, randomBytes } from 'node:crypto'
import Provider, { type Adapter, type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { REQUESTABLE_SCOPES, TOKEN_PREFIXES } from '../../domain/account/platform/public.ts'
import { AGENT_PREFIX } from '../bearer-tokens.ts'
import { countedAs } from '../http/failed-attempts.ts'
import { windows } from '../http/windows.ts'
import { shortTermAdapter } from './adapter.ts'
import { AGENT_REFRESH, membershipOf, standingOf } from './agent-tokens.ts'
import { isSecret } from './client-secret.ts'
import { LASTS_S } from './consent/begun.ts'
import { LIBRARY_COOKIES } from './consent/cookies.ts'
import { PROMPTS } from './consent/prompts.ts'
import type { OAuthDeps } from './deps.ts'
import { holderIn } from './holder.ts'
import { AUTHORIZE, CONSENT, REGISTER, REVOKE, TOKEN } from './paths.ts'
import { isKey } from './platform/own-tokens.ts'
import { servePasswordGrant } from './platform/password-grant.ts'
import { platformAdapter } from './platform/platform-adapter.ts'
import { applicationMetadata, isOfPlatform, type PlatformService } from './platform/platform-records.ts'
import { clientAdapter } from './registration/clients.ts'
import { documentFetcher } from './registration/metadata-documents.ts'
import { audienceOf, resourceOf } from './resources.ts'
import { type Audience, areWithin, scopesIn } from './scopes.ts'

/** Says on a page of our own why a request cannot be answered. */
export type ShowFault = (ctx: KoaContextWithOIDC, error: string, description: string) => void

export interface ProviderDeps extends OAuthDeps {
  readonly platform: PlatformService
  readonly issuer: string
  readonly showFault: ShowFault
}

const DAY_S = 86_400

/** Seconds for which an access token says that it is valid. One of a platform application never expires, but the contract has the number. */
const ACCESS_S: Readonly<Record<Audience, number>> = { api: 7200, agents: 3600 }
const TTL = {
  AuthorizationCode: 600,
  Interaction: LASTS_S,
  Session: 3600,
  RefreshToken: 30 * DAY_S,
  /** After a year an agent asks again. */
  Grant: 365 * DAY_S,
}

/** @throws {InvalidScope} when a refresh asks for more than was granted, also where a coarse scope alone would act as more */
const checkNarrowing = ({ oidc: { params, entities } }: KoaContextWithOIDC): void => {
  const held = scopesIn(entities.RefreshToken?.scope)
  const wanted = scopesIn(params?.scope)
  if (wanted.length === 0 || areWithin(wanted, held, audienceOf(entities.Client?.clientId ?? ''))) return
  throw new errors.InvalidScope('these scopes would allow more than was granted', wanted.join(' '))
}

/** Documents of clients that are fetched for one address in a minute. */
const FETCHES_PER_MINUTE = 30

/** Returns a function that says whether one more document may be fetched: anybody can name any address as a client. */
const fetchLimit = () => {
  const windowOf = windows<string>()
  return ({ ip }: KoaContextWithOIDC): boolean => ++windowOf(countedAs(ip)).used <= FETCHES_PER_MINUTE
}

const features = (deps: ProviderDeps): Configuration['features'] => ({
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  userinfo: { enabled: false },
  // A token of another client is left as it is, and the answer does not tell.
  revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
  clientIdMetadataDocument: { enabled: true, ack: 'draft-02', allowFetch: fetchLimit() },
  resourceIndicators: {
    enabled: true,
    defaultResource: (_, client) => resourceOf(client.clientId, deps.resources),
    useGrantedResource: () => true,
    getResourceServerInfo(_, resource, client) {
      if (resource !== resourceOf(client.clientId, deps.resources)) throw new errors.InvalidTarget()
      return { audience: resource, scope: [...REQUESTABLE_SCOPES].join(' '), accessTokenFormat: 'opaque' }
    },
  },
})

const configuration = (deps: ProviderDeps, adapter: (model: string) => Adapter): Configuration => ({
  adapter,
  features: features(deps),
  routes: { authorization: AUTHORIZE, token: TOKEN, revocation: REVOKE, registration: REGISTER },
  // Tokens are opaque, so nothing is ever signed. Without a key of ours the library would warn of its own.
  jwks: {
    keys: [{ ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), alg: 'EdDSA', use: 'sig' }],
  },
  clientDefaults: { id_token_signed_response_alg: 'EdDSA' },
  responseTypes: ['code'],
  clientAuthMethods: ['none', 'client_secret_post', 'client_secret_basic'],
  extraParams: ['new_installation'],
  cookies: { names: LIBRARY_COOKIES },
  pkce: { required: (_, client) => audienceOf(client.clientId) === 'agents' || client.clientAuthMethod === 'none' },
  interactions: { policy: PROMPTS, url: ({ querystring }, { uid }) => `${CONSENT}/${uid}?${querystring}` },
  ttl: { ...TTL, AccessToken: (_, { clientId = '' }) => ACCESS_S[audienceOf(clientId)] },
  issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
  rotateRefreshToken(ctx) {
    checkNarrowing(ctx)
    return audienceOf(ctx.oidc.client?.clientId ?? '') === 'agents'
  },
  expiresWithSession: () => false,
  async findAccount({ oidc }, accountId) {
    const holder = holderIn(accountId)
    const isOfAgent = audienceOf(oidc.client?.clientId ?? '') === 'agents'
    const standing = holder && (await (isOfAgent ? standingOf : membershipOf)(deps, holder))
    return standing && { accountId, claims: () => ({ sub: accountId }) }
  },
  fetch: (url) => documentFetcher(deps.outbound)(String(url)),
  fetchResponseBodyLimits: { 'client_id metadata document': Number.POSITIVE_INFINITY },
  renderError(ctx, { error, error_description: description }) {
    deps.showFault(ctx, error, description ?? error)
  },
})

const random = (): string => randomBytes(32).toString('base64url')

/** Names tokens by what they are for, and compares secrets by their digests. These methods are the library's seams for it. */
const adapt = ({ AccessToken, RefreshToken, Client }: Provider): void => {
  Object.assign(AccessToken.prototype, {
    generateTokenId(this: { readonly clientId?: string; format?: string }) {
      this.format = 'opaque'
      return PREFIXES.access[audienceOf(this.clientId ?? '')] + random()
    },
  })
  Object.assign(RefreshToken.prototype, {
    generateTokenId(this: { readonly clientId?: string }) {
      return PREFIXES.refresh[audienceOf(this.clientId ?? '')] + random()
    },
  })
  Object.assign(Client.prototype, {
    compareClientSecret(this: { readonly clientSecret?: string }, sent: string) {
      return isSecret(sent, this.clientSecret ?? '')
    },
  })
}

const PREFIXES = {
  access: { agents: AGENT_PREFIX, api: TOKEN_PREFIXES.access },
  refresh: { agents: AGENT_REFRESH, api: TOKEN_PREFIXES.refresh },
} as const

/** Returns the adapter of the library: what belongs to platform applications is in their records, all else in the short-term store. */
const adapterFor = (deps: ProviderDeps) => {
  const ofPlatform = platformAdapter({ service: deps.platform, resources: deps.resources })
  return (model: string): Adapter => {
    if (model === 'Client') return clientAdapter(deps, (clientId) => applicationMetadata(deps.platform, clientId))
    const [shortTerm, platform] = [shortTermAdapter(model, deps), ofPlatform(model)]
    const of = (id: string): Adapter => (isOfPlatform(id) || isKey(id) ? platform : shortTerm)
    return {
      ...shortTerm,
      upsert: (id, payload, expiresIn) => of(id).upsert(id, payload, expiresIn),
      find: (id) => of(id).find(id),
      consume: (id) => of(id).consume(id),
      destroy: (id) => of(id).destroy(id),
      revokeByGrantId: (grantId) => of(grantId).revokeByGrantId(grantId),
    }
  }
}

/** Creates the library's part of the authorization server. */
export const createProvider = (deps: ProviderDeps): Provider => {
  const provider = new Provider(deps.issuer, configuration(deps, adapterFor(deps)))
  // Before the clients are looked at: their metadata may name only grants that are served.
  servePasswordGrant(provider, { ...deps, lastsS: ACCESS_S.api })
  adapt(provider)
  provider.on('server_error', (_, error) => deps.logger.error({ err: error }, 'the authorization server failed'))
  return provider
}
