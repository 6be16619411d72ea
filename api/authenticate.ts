import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { goOn, type MaybePromise } from '../domain/kernel/maybe-promise.ts'
import type { Document, ReadModels } from '../domain/kernel/ports/read-models.ts'
import { refuse } from '../domain/kernel/refusal.ts'
import { allows, seesPersons } from '../domain/kernel/scopes.ts'
import type { Caller } from '../domain/kinds/operation.ts'
import { lacking } from './reach.ts'
import type { Route } from './routes.ts'

/** The digest under which a token is known; the token has enough entropy of its own, so a plain hash will do. */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url')

const scopesOf = (key: Document): readonly string[] => (key.scopes ?? []) as readonly string[]

const callerOf = (key: Document): Caller => ({
  tokenId: Number(key.id),
  teamId: Number(key.team_id),
  workspaceId: key.only_workspace_id === null ? null : Number(key.only_workspace_id),
  userId: Number(key.user_id),
  membershipId: Number(key.membership_id),
  scopes: scopesOf(key),
  persons: seesPersons(scopesOf(key)),
})

/** A key as it was last seen, and who calls with it. */
interface Known {
  readonly key: Document
  readonly caller: Caller
}

/** Finds out who calls from the `Authorization` header. A revoked key is refused from the next request on. */
export type Authenticate = (authorization: string | undefined) => MaybePromise<Caller>

/** @throws {Refusal} from the function: unauthenticated, when the token is missing, unknown or revoked */
export const authenticator = (live: ReadModels): Authenticate => {
  /** Which key a hash belongs to never changes; whether the key is valid, and what it may do, is asked every time. */
  const known = new LRUCache<string, Known>({ max: 10_000 })
  const callerWith = (hash: string, key: Document | undefined, before: Known | undefined): Caller => {
    if (!key || key.hash !== hash) throw refuse.unauthenticated()
    if (before?.key === key) return before.caller
    const caller = callerOf(key)
    known.set(hash, { key, caller })
    return caller
  }
  return (authorization) => {
    const token = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization ?? '')?.[1]
    if (!token) throw refuse.unauthenticated()
    const hash = hashToken(token)
    const before = known.get(hash)
    if (before) return goOn(live.get('api_key', before.key.id), (key) => callerWith(hash, key, before))
    return goOn(live.find('api_key', { where: { hash }, limit: 1 }), ([key]) => callerWith(hash, key, undefined))
  }
}

/** @throws {Refusal} forbidden, naming the scope that is missing */
export const authorize = (caller: Caller, route: Route): void => {
  if (allows(caller.scopes, route.category, route.level)) return
  throw lacking(`${route.category}:${route.level}`)
}
