import { beginningOf } from '../../../domain/kernel/values/characters.ts'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import { redirectObjection } from './redirect-uri.ts'

/** What begins the id of a client that registered itself. */
export const REGISTERED = 'agent_'

/** Tells whether a client is an agent: it registered itself, or its id is the address of its description. */
export const isAgent = (clientId: string): boolean => clientId.startsWith(REGISTERED) || clientId.startsWith('https://')

const MOST_REDIRECTS = 20
const LONGEST_NAME = 80
/** Control and direction marks, by which a name could look like another text. */
const MARKS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Returns the name of an application as pages show it; empty if there is none. */
export const shownName = (name: unknown): string =>
  typeof name === 'string' ? beginningOf(name.replace(MARKS, '').trim(), LONGEST_NAME) : ''

/** Fault of what a client says about itself, in OAuth's words. */
export interface MetadataFault {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata'
  readonly description: string
}

const objectionTo = (uris: unknown): string | undefined => {
  if (!Array.isArray(uris) || uris.length === 0) return 'redirect_uris must name at least one address'
  if (uris.length > MOST_REDIRECTS) return `redirect_uris must name at most ${MOST_REDIRECTS} addresses`
  return uris.map(redirectObjection).find((objection) => objection !== undefined)
}

/** Returns what is kept of what an agent says about itself. All else that it says is ignored. */
export const agentMetadata = (said: JsonObject): JsonObject | MetadataFault => {
  const description = objectionTo(said.redirect_uris)
  if (description !== undefined) return { error: 'invalid_redirect_uri', description }
  const name = shownName(said.client_name)
  return {
    ...(name !== '' && { client_name: name }),
    redirect_uris: said.redirect_uris ?? [],
    // Agents choose their port when they run: for this type it may be any on a loopback address.
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}

export const isFault = (metadata: JsonObject | MetadataFault): metadata is MetadataFault => 'error' in metadata
