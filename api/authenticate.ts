import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Document, ReadModels } from '../domain/kernel/ports/read-models.ts'
import { type MaybePromise, mapMaybe } from '../domain/kernel/values/maybe-promise.ts'
import { refuse } from '../domain/kernel/values/refusal.ts'
import { allows, seesPersonalData } from '../domain/kernel/values/scopes.ts'
import type { Caller } from '../domain/resources/operation.ts'
import type { ApiContext } from './http/context.ts'
import type { FailedAttempts } from './http/failed-attempts.ts'
import type { Route } from './routes.ts'
import { missingScope } from './tenancy.ts'

/** Returns the digest under which a token is stored. A token has enough entropy of its own, so a plain hash suffices. */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url')

const KEY_BYTES = 30

/** Returns the token of a new API key. */
export const newKeyToken = (): string => `mr_${randomBytes(KEY_BYTES).toString('base64url')}`

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

/** Key as it was last read, and the caller that it identifies. */
interface KnownKey {
  readonly key: Document
  readonly caller: Caller
}

/** Identifies the caller by the `Authorization` header. A revoked key is refused from the next request on. */
export type Authenticate = (ctx: ApiContext) => MaybePromise<Caller>

/**
 * Creates the authentication. Failed attempts of others at the same address never limit a token that was valid before.
 *
 * @throws {Refusal} from the function: unauthenticated, when the token is missing, unknown or revoked; too many, when that happened too often
 */
export const authenticator = (live: ReadModels, failed: FailedAttempts): Authenticate => {
  /** Keys by hash, which never changes. The validity and the scopes of a key are read for every request. */
  const known = new LRUCache<string, KnownKey>({ max: 10_000 })
  const reject = (ctx: ApiContext): never => {
    failed.count(ctx)
    throw refuse.unauthenticated()
  }
  const callerWith = (
    ctx: ApiContext,
    hash: string,
    key: Document | undefined,
    before: KnownKey | undefined,
  ): Caller => {
    if (!key || key.hash !== hash) {
      known.delete(hash)
      return reject(ctx)
    }
    if (before?.key === key) return before.caller
    const caller = callerOf(key)
    known.set(hash, { key, caller })
    return caller
  }
  return (ctx) => {
    const token = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(ctx.req.headers.authorization ?? '')?.[1]
    if (!token) return reject(ctx)
    const hash = hashToken(token)
    const before = known.get(hash)
    if (before) return mapMaybe(live.get('api_key', before.key.id), (key) => callerWith(ctx, hash, key, before))
    failed.check(ctx)
    return mapMaybe(live.find('api_key', { where: { hash }, limit: 1 }), ([key]) =>
      callerWith(ctx, hash, key, undefined),
    )
  }
}

/** @throws {Refusal} forbidden, when the token lacks the scope of a route, or when the route takes a token of the team and this one is of a workspace */
export const authorize = (
  caller: Caller,
  { category: usual, level, operation }: Route,
  query: URLSearchParams,
): void => {
  const by = operation.kind === 'read' ? operation.categoryBy : undefined
  const category = by?.categories[query.get(by.parameter) ?? ''] ?? usual
  if (!allows(caller.scopes, category, level)) throw missingScope(`${category}:${level}`)
  if (operation.ofTeam && caller.workspaceId !== null)
    throw refuse.forbidden('this takes a token of the team, not of one workspace', 'token', 'reach')
}
