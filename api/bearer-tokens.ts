import {
  connection,
  isDisconnected,
  isOfFormerSecret,
  platformApplication,
  platformToken,
  TOKEN_PREFIXES,
} from '../domain/account/platform/public.ts'
import { credential } from '../domain/account/public.ts'
import type { Document, ReadModels } from '../domain/kernel/ports/read-models.ts'
import { type MaybePromise, mapMaybe } from '../domain/kernel/values/maybe-promise.ts'
import { seesPersonalData } from '../domain/kernel/values/scopes.ts'
import type { Caller } from '../domain/resources/operation.ts'

/** Kind of token that the API takes. */
export interface TokenKind {
  /** Collection of the tokens, each with its hash. */
  readonly collection: string
  /** Returns the document that says for whom a token acts; `undefined`: for nobody any more. */
  holderOf(token: Document): MaybePromise<Document | undefined>
  callerOf(token: Document, holder: Document): Caller
}

const scopesOf = ({ scopes }: Document) => {
  const held = (scopes ?? []) as readonly string[]
  return { scopes: held, seesPersonalData: seesPersonalData(held) }
}

const callerOfKey = (key: Document): Caller => ({
  tokenId: Number(key.id),
  teamId: Number(key.team_id),
  workspaceId: key.only_workspace_id === null ? null : Number(key.only_workspace_id),
  userId: Number(key.user_id),
  membershipId: Number(key.membership_id),
  ...(typeof key.platform_application_id === 'number' && { applicationId: key.platform_application_id }),
  ...scopesOf(key),
})

const callerOfConnection = (token: Document, held: Document): Caller => ({
  // All tokens of a connection count as one: a client that gets more of them gets no more requests, and repeats of a request are known by any of them.
  tokenId: `connection:${held.id}`,
  teamId: Number(held.team_id),
  workspaceId: Number(held.workspace_id),
  userId: Number(held.user_id),
  membershipId: Number(held.membership_id),
  applicationId: Number(held.platform_application_id),
  ...scopesOf(token),
})

/** Beginning of every access token of an agent, which only the agent server takes. */
export const AGENT_PREFIX = 'mra_'

/** Returns a function that gives the kind of a token by how it begins; `undefined` for one that the API does not take. */
export const tokenKinds = (live: Pick<ReadModels, 'get'>): ((token: string) => TokenKind | undefined) => {
  /** Policies end the connection with the membership, with the application and with a new password, but only a moment later. */
  const ifStillAllowed = (held: Document): MaybePromise<Document | undefined> =>
    mapMaybe(
      live.get('membership', Number(held.membership_id)),
      (membership) =>
        membership &&
        mapMaybe(
          live.get(platformApplication.name, Number(held.platform_application_id)),
          (found) =>
            found &&
            mapMaybe(live.get(credential.name, Number(held.user_id)), (of) =>
              isDisconnected(held, of) ? undefined : held,
            ),
        ),
    )
  const apiKeys: TokenKind = {
    collection: 'api_key',
    // A policy revokes the keys of an application that is removed, or has another secret, but only a moment later.
    holderOf: (key) =>
      typeof key.platform_application_id === 'number'
        ? mapMaybe(live.get(platformApplication.name, key.platform_application_id), (found) =>
            found && !isOfFormerSecret(key, found) ? key : undefined,
          )
        : key,
    callerOf: callerOfKey,
  }
  const platformTokens: TokenKind = {
    collection: platformToken.name,
    holderOf: (token) =>
      token.kind !== 'access'
        ? undefined
        : mapMaybe(live.get(connection.name, Number(token.connection_id)), (held) => held && ifStillAllowed(held)),
    callerOf: callerOfConnection,
  }
  return (token) => {
    if (token.startsWith(TOKEN_PREFIXES.access)) return platformTokens
    return token.startsWith(TOKEN_PREFIXES.refresh) || token.startsWith(AGENT_PREFIX) ? undefined : apiKeys
  }
}
