import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Document, ReadModels } from '../domain/kernel/ports/read-models.ts'
import { type MaybePromise, mapMaybe } from '../domain/kernel/values/maybe-promise.ts'
import { refuse } from '../domain/kernel/values/refusal.ts'
import { allows, seesPersonalData } from '../domain/kernel/values/scopes.ts'
import type { Caller } from '../domain/resources/operation.ts'
import type { ApiContext } from './http/context.ts'
import type { FailedAttempts } from './http/failed-attempts.ts'
import type { Route } from './routes.ts'
import { lacking } from './tenancy.ts'

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
  seesPersonalData: seesPersonalData(scopesOf(key)),
})

/** A key as it was last seen, and who calls with it. */
interface Known {
  readonly key: Document
  readonly caller: Caller
}

/** Finds out who calls from the `Authorization` header. A revoked key is refused from the next request on. */
export type Authenticate = (ctx: ApiContext) => MaybePromise<Caller>

/**
 * Tokens that were good before are never held back by what others at their address try.
 *
 * @throws {Refusal} from the function: unauthenticated, when the token is missing, unknown or revoked; too many, when that was so too often
 */
export const authenticator = (live: ReadModels, failed: FailedAttempts): Authenticate => {
  /** Which key a hash belongs to never changes; whether the key is valid, and what it may do, is asked every time. */
  const known = new LRUCache<string, Known>({ max: 10_000 })
  const turnAway = (ctx: ApiContext): never => {
    failed.count(ctx)
    throw refuse.unauthenticated()
  }
  const callerWith = (ctx: ApiContext, hash: string, key: Document | undefined, before: Known | undefined): Caller => {
    if (!key || key.hash !== hash) {
      known.delete(hash)
      return turnAway(ctx)
    }
    if (before?.key === key) return before.caller
    const caller = callerOf(key)
    known.set(hash, { key, caller })
    return caller
  }
  return (ctx) => {
    const token = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(ctx.req.headers.authorization ?? '')?.[1]
    if (!token) return turnAway(ctx)
    const hash = hashToken(token)
    const before = known.get(hash)
    if (before) return mapMaybe(live.get('api_key', before.key.id), (key) => callerWith(ctx, hash, key, before))
    failed.check(ctx)
    return mapMaybe(live.find('api_key', { where: { hash }, limit: 1 }), ([key]) =>
      callerWith(ctx, hash, key, undefined),
    )
  }
}

/** @throws {Refusal} forbidden, naming the scope that is missing, or saying that the token is of a workspace alone */
export const authorize = (caller: Caller, { category, level, operation }: Route): void => {
  if (!allows(caller.scopes, category, level)) throw lacking(`${category}:${level}`)
  if (operation.ofTeam && caller.workspaceId !== null)
    throw refuse.forbidden('this takes a token of the team, not of one workspace', 'token', 'reach')
}
