import { LRUCache } from 'lru-cache'
import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import { type MaybePromise, mapMaybe } from '../../domain/kernel/values/maybe-promise.ts'
import { type Refusal, refuse } from '../../domain/kernel/values/refusal.ts'
import { allows, scopeOf } from '../../domain/kernel/values/scopes.ts'
import { missingScope } from '../../domain/resources/missing-scope.ts'
import type { Caller } from '../../domain/resources/operation.ts'
import { tokenKinds } from '../bearer-tokens.ts'
import type { ApiContext } from '../http/context.ts'
import type { FailedAttempts } from '../http/failed-attempts.ts'
import { accessTo, type Route } from '../routes.ts'
import { hashToken } from '../token-hash.ts'

/** Token as it was last read, with the document that says for whom it acts, and the caller that it identifies. */
interface KnownToken {
  readonly token: Document
  readonly holder: Document
  readonly caller: Caller
}

/** Identifies the caller by the `Authorization` header. A revoked token is refused from the next request on. */
export type Authenticate = (ctx: ApiContext) => MaybePromise<Caller>

/**
 * Creates the authentication. Failed attempts of others at the same address never limit a token that was valid before.
 *
 * @throws {Refusal} from the function: unauthenticated, when the token is missing, unknown, revoked, or of a kind that the API does not take; too many,
 * when that happened too often
 */
export const authenticator = (live: ReadModels, failed: FailedAttempts): Authenticate => {
  /** Tokens by hash, which never changes. Their validity and their scopes are read for every request. */
  const known = new LRUCache<string, KnownToken>({ max: 10_000 })
  const kindOf = tokenKinds(live)
  const reject = (ctx: ApiContext): never => {
    failed.count(ctx)
    throw refuse.unauthenticated()
  }
  return (ctx) => {
    const sent = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(ctx.req.headers.authorization ?? '')?.[1]
    const kind = sent === undefined ? undefined : kindOf(sent)
    if (sent === undefined || !kind) return reject(ctx)
    const hash = hashToken(sent)
    const before = known.get(hash)
    const identified = (token: Document | undefined, holder: Document | undefined): Caller => {
      if (!token || !holder || token.hash !== hash) {
        known.delete(hash)
        return reject(ctx)
      }
      if (before?.token === token && before.holder === holder) return before.caller
      const caller = kind.callerOf(token, holder)
      known.set(hash, { token, holder, caller })
      return caller
    }
    const withHolder = (token: Document | undefined) =>
      mapMaybe(token && kind.holderOf(token), (holder) => identified(token, holder))
    if (before) return mapMaybe(live.get(kind.collection, before.token.id), withHolder)
    failed.check(ctx)
    return mapMaybe(live.find(kind.collection, { where: { hash }, limit: 1 }), ([token]) => withHolder(token))
  }
}

/** Returns why a token may not call a route at all: it lacks a scope, or is of a workspace where the route takes one of the team. */
export const objectionTo = (caller: Caller, route: Route, query?: URLSearchParams): Refusal | undefined => {
  const missing = accessTo(route, query).find(({ category, level }) => !allows(caller.scopes, category, level))
  if (missing) return missingScope(scopeOf(missing))
  return route.operation.ofTeam && caller.workspaceId !== null
    ? refuse.forbidden('this takes a token of the team, not of one workspace', 'token', 'reach')
    : undefined
}

/** @throws {Refusal} forbidden, where there is an objection to a call */
export const authorize = (caller: Caller, route: Route, query: URLSearchParams): void => {
  const objection = objectionTo(caller, route, query)
  if (objection) throw objection
}
