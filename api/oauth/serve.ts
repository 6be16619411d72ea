import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { refusalIn } from '../../domain/kernel/values/refusal.ts'
import { renderRefusal } from '../errors.ts'
import type { WithBody } from '../http/bodies-of-strangers.ts'
import type { ApiContext, Next } from '../http/context.ts'
import type { FailedAttempts } from '../http/failed-attempts.ts'
import { answerError, shareWithPages } from './answers.ts'
import { BadRequest } from './body.ts'
import { consentPages } from './consent/consent.ts'
import { authorize, exchange, resume, revoke } from './endpoints.ts'
import { apiMetadata, serverMetadata } from './metadata.ts'
import { type OAuthService, type OpenedServer, openServer } from './open.ts'
import { AUTHORIZE, CONSENT, REGISTER, RESOURCE_METADATA, REVOKE, SERVER_METADATA, TOKEN } from './paths.ts'
import { register } from './registration/registration.ts'

type Answer = (ctx: ApiContext, server: OpenedServer, failed: FailedAttempts) => Promise<void>

/** Endpoint of the authorization server. */
interface Endpoint {
  /** Name in log and metrics. */
  readonly name: string
  readonly path: RegExp
  readonly methods: readonly string[]
  /** Programs are answered in OAuth's form, also on pages of other origins; people with pages. */
  readonly isForPrograms: boolean
  readonly answer: Answer
}

const program = (name: string, path: string, answer: Answer): Endpoint => ({
  ...{ name, path: new RegExp(`^${path}$`), methods: ['POST'], isForPrograms: true, answer },
})

const page = (name: string, path: string, methods: readonly string[], answer: Answer): Endpoint => ({
  ...{ name, path: new RegExp(`^${path}$`), methods, isForPrograms: false, answer },
})

/** Document that clients look for with the path behind it of what they connect with, too. */
const metadata = (
  name: string,
  path: string,
  behind: readonly string[],
  of: (issuer: string, behind: string) => JsonObject,
): Endpoint => ({
  ...{ name, methods: ['GET', 'HEAD'], isForPrograms: true },
  path: new RegExp(`^${path.replaceAll('.', '\\.')}(?:${behind.join('|')})?$`),
  async answer(ctx, { issuer }) {
    ctx.body = of(issuer, ctx.path.slice(path.length))
  },
})

const endpointsWith = (withBody: WithBody): readonly Endpoint[] => [
  metadata('oauth server metadata', SERVER_METADATA, ['/mcp', '/api/v2', '/oauth'], serverMetadata),
  metadata('oauth resource metadata', RESOURCE_METADATA, ['/api/v2'], apiMetadata),
  program('oauth token', TOKEN, exchange),
  program('oauth revoke', REVOKE, revoke),
  program('oauth register', REGISTER, register),
  page('oauth authorize', AUTHORIZE, ['GET'], authorize),
  page('oauth resume', `${AUTHORIZE}/[\\w-]{1,100}`, ['GET'], resume),
  page('oauth consent', `${CONSENT}/[\\w-]{1,100}`, ['GET', 'POST'], consentPages(withBody)),
]

/** Errors of OAuth for refusals by which nothing is wrong with the request. */
const LATER = new Set([429, 503])

/** Answers with a failure in OAuth's form. Mistakes of the service are left to others. */
const answerFailure = (ctx: ApiContext, error: unknown): void => {
  if (error instanceof BadRequest) {
    answerError(ctx, 400, 'invalid_request', error.message)
    return
  }
  const refusal = refusalIn(error)
  if (!refusal) throw error
  const { status, headers } = renderRefusal(refusal, ctx.state.requestId)
  ctx.set(headers)
  answerError(ctx, status, LATER.has(status) ? 'temporarily_unavailable' : 'invalid_request', refusal.message)
}

/** Serves the authorization server: OAuth 2 for platform applications and agents. */
export const oauthServer = (service: OAuthService, failed: FailedAttempts, withBody: WithBody) => {
  const endpoints = endpointsWith(withBody)
  let opening: Promise<OpenedServer> | undefined
  const opened = () => {
    opening ??= openServer(service)
    return opening
  }
  return async function serveOAuth(ctx: ApiContext, next: Next): Promise<unknown> {
    const endpoint = endpoints.find(({ path }) => path.test(ctx.path))
    if (!endpoint) return next()
    const { name, methods, isForPrograms, answer } = endpoint
    ctx.state.operation = name
    if (isForPrograms && shareWithPages(ctx, methods.join(', '))) return undefined
    if (!methods.includes(ctx.method)) {
      ctx.set('Allow', methods.join(', '))
      answerError(ctx, 405, 'invalid_request', `this is served by ${methods.join(' and ')} alone`)
      return undefined
    }
    try {
      await answer(ctx, await opened(), failed)
    } catch (error) {
      if (!isForPrograms) throw error
      answerFailure(ctx, error)
    }
    return undefined
  }
}
