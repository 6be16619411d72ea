import type { Fields } from './body.ts'
import { audienceOf, type Resources, resourceMeant } from './resources.ts'
import { scopesIn, wantedScopes } from './scopes.ts'

/** Parameters of OpenID Connect, which means nothing here. Clients that ask for `openid` send them too. */
const OPENID = ['acr_values', 'claims', 'claims_locales', 'id_token_hint', 'max_age', 'nonce']

const one = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

const withMeant = (fields: Fields, clientId: string, resources: Resources): Fields => {
  const named = one(fields.resource)
  return named === undefined ? fields : { ...fields, resource: resourceMeant(named, clientId, resources) }
}

const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

/** Returns an authorization request as it is meant here: with scopes that there are, and addresses as they are written here. */
export const authorizationMeant = (fields: Fields, resources: Resources): Fields => {
  const clientId = one(fields.client_id)
  if (clientId === undefined) return fields
  const meant = withMeant(without(fields, OPENID), clientId, resources)
  if (Array.isArray(meant.scope)) return meant
  return { ...meant, scope: wantedScopes(meant.scope, audienceOf(clientId)).join(' ') }
}

/** Returns a token request as it is meant here. */
export const tokenRequestMeant = (fields: Fields, clientId: string, resources: Resources): Fields => {
  const meant = withMeant(fields, clientId, resources)
  const asked = one(meant.scope)
  if (asked === undefined) return meant
  const scopes = scopesIn(asked)
  return scopes.length > 0 ? { ...meant, scope: scopes.join(' ') } : without(meant, ['scope'])
}

/** Returns the id of the client that sends a token request, from its header or its fields; empty if it says none. */
export const clientIdOf = (authorization: string | undefined, fields: Fields): string => {
  const [, basic] = /^Basic ([\w+/=-]+)$/i.exec(authorization ?? '') ?? []
  if (basic === undefined) return one(fields.client_id) ?? ''
  return Buffer.from(basic, 'base64').toString('utf8').split(':')[0] ?? ''
}

const isWritten = (text: string): boolean => {
  try {
    return /^[\x20-\x7e]+$/.test(decodeURIComponent(text))
  } catch {
    return false
  }
}

/** Whether a header with the credentials of a client is there and is none that can be read (RFC 6749, 2.3.1). */
export const isBrokenCredential = (authorization: string | undefined): boolean => {
  if (authorization === undefined) return false
  const [, basic = ''] = /^Basic ([a-z\d+/]+={0,2})$/i.exec(authorization) ?? []
  const bare = basic.replace(/=+$/, '')
  const isBase64 = bare.length % 4 !== 1 && (bare === basic || basic.length % 4 === 0)
  const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(basic, 'base64').toString('latin1')) ?? []
  return !isBase64 || !isWritten(id) || !isWritten(secret)
}
