/** Paths of the authorization server, on the API's listener. */
export const AUTHORIZE = '/oauth/authorize'
export const TOKEN = '/oauth/token'
export const REVOKE = '/oauth/revoke'
export const REGISTER = '/oauth/register'
/** Where a person allows or denies a request. */
export const CONSENT = '/oauth/consent'

export const SERVER_METADATA = '/.well-known/oauth-authorization-server'
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'
