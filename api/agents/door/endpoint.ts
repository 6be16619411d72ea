import { Readable } from 'node:stream'
import type { JSONRPCMessage, McpHttpHandler } from '@modelcontextprotocol/server'
import type { Json, JsonObject } from '../../../domain/kernel/values/event.ts'
import type { Caller } from '../../../domain/resources/operation.ts'
import type { ApiContext } from '../../http/context.ts'
import type { FailedAttempts } from '../../http/failed-attempts.ts'
import { whenOver } from '../../http/when-over.ts'
import type { AgentAccess } from '../../oauth/agent-tokens.ts'
import type { Agent } from '../agent.ts'
import type { Catalogue } from '../catalogue.ts'
import { serverFactory } from '../server.ts'
import type { AgentService } from '../service.ts'
import { acceptedBy, EITHER, inForm } from './accepted.ts'
import { authenticator } from './authenticate.ts'
import { answerError, answerMissingScopes } from './challenge.ts'
import { answersIn, beginningIn, canAsk, missingScopes, withUnknownCursor } from './messages.ts'
import { openQuestions } from './questions.ts'
import { endSession, newSession, type Session, sessionOf } from './session.ts'

const SESSION = 'mcp-session-id'

const SERVER_ERROR = -32_000
const SESSION_UNKNOWN = -32_001
const INVALID_PARAMS = -32_602

/** Headers of a request that the protocol reads. Nothing else of the request reaches it, least of all its host. */
const READ = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'last-event-id']

/** What the endpoint is made of. */
export interface EndpointDeps {
  readonly service: AgentService
  readonly catalogue: Catalogue
  readonly failed: FailedAttempts
  readonly limit: (ctx: ApiContext, caller: Caller) => void
  readonly readBody: (ctx: ApiContext) => void | Promise<void>
}

const headersFor = ({ req }: ApiContext): Headers => {
  const headers = new Headers({ accept: EITHER })
  for (const name of READ) if (typeof req.headers[name] === 'string') headers.set(name, req.headers[name])
  return headers
}

/** Yields a stream of events. It begins with a comment, so that what lies between sends its first bytes on at once. */
async function* withBeginning(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(': open\n\n')
  yield* stream
}

const answerWith = async (ctx: ApiContext, response: Response): Promise<void> => {
  const type = response.headers.get('content-type') ?? ''
  ctx.status = response.status
  for (const name of ['content-type', 'allow']) {
    const value = response.headers.get(name)
    if (value !== null) ctx.set(name, value)
  }
  ctx.set('X-Accel-Buffering', 'no')
  if (response.body === null) ctx.body = null
  else if (type.startsWith('text/event-stream')) ctx.body = Readable.from(withBeginning(response.body))
  else ctx.body = Buffer.from(await response.arrayBuffer())
  if (response.body === null) ctx.status = response.status
}

/** Returns the handler of the official SDK. Each request has a server of its own, so that no two clients share the numbers of their requests. */
const handlerOf = (agents: WeakMap<Request, Agent>, { logger }: AgentService) => {
  let handler: Promise<McpHttpHandler> | undefined
  const load = async (): Promise<McpHttpHandler> => {
    const sdk = await import('@modelcontextprotocol/server')
    const factory = serverFactory(sdk, (request) => {
      const agent = agents.get(request)
      if (!agent) throw new Error('a request without an agent')
      return agent
    })
    return sdk.createMcpHandler(factory, {
      legacy: 'stateless',
      onerror: (error) => logger.debug({ err: error }, 'request of an agent refused'),
    })
  }
  return () => (handler ??= load())
}

/** Request of a known agent. */
interface Known {
  readonly access: AgentAccess
  /** Session whose id was sent; `null`: it is none, or none of this agent's. */
  readonly session: Session | null | undefined
}

const answerNoSession = (ctx: ApiContext): void => answerError(ctx, 404, SESSION_UNKNOWN, 'Session not found')

const noSuchPage = ({ id = null }: JsonObject): Response =>
  Response.json({
    jsonrpc: '2.0',
    id,
    error: { code: INVALID_PARAMS, message: 'There is no such cursor: lists are in one piece' },
  })

/** Returns the answer to a message of an agent, as the endpoint sends it. */
const answering = ({ service, catalogue, readBody }: EndpointDeps) => {
  const agents = new WeakMap<Request, Agent>()
  const load = handlerOf(agents, service)
  const questions = openQuestions()
  return async (ctx: ApiContext, { access, session }: Known): Promise<void> => {
    const headers = headersFor(ctx)
    const accepted = acceptedBy(ctx)
    if (!accepted) return answerError(ctx, 406, SERVER_ERROR, `Answers are ${EITHER}`)
    await readBody(ctx)
    // What was parsed from JSON is JSON.
    const body = (ctx.request.body ?? null) as Json
    const beginning = beginningIn(body)
    if (session === null && !beginning) return answerNoSession(ctx)
    const listing = withUnknownCursor(body)
    if (listing) return answerWith(ctx, await inForm(noSuchPage(listing), accepted, false))
    const { requestId, lossyNumbers = [] } = ctx.state
    const agent: Agent = {
      service,
      catalogue,
      access,
      requestId,
      lossyNumbers,
      questions,
      // Whoever takes no stream cannot be asked in the midst of a call.
      session: session ? { ...session, asks: session.asks && accepted !== 'json' } : undefined,
    }
    const missing = missingScopes(agent, body)
    if (missing.length > 0) return answerMissingScopes(ctx, service, access.scopes, missing)
    // The official SDK takes only messages that it has checked, so these are JSON-RPC as far as it reads them.
    if (session) for (const answer of answersIn(body)) questions.answer(session.id, answer as unknown as JSONRPCMessage)
    const gone = new AbortController()
    whenOver(ctx.res, () => gone.abort())
    const request = new Request(service.agentsUrl, { method: 'POST', headers, signal: gone.signal })
    agents.set(request, agent)
    const response = await (await load()).fetch(request, { parsedBody: body })
    if (beginning && response.ok) ctx.set('Mcp-Session-Id', newSession(service, access, canAsk(beginning)))
    return answerWith(ctx, await inForm(response, accepted, Array.isArray(body)))
  }
}

const METHODS = 'POST, DELETE, OPTIONS'
const UNKNOWN_METHODS: ReadonlySet<string> = new Set(['PUT', 'PATCH'])

/** Serves the agent protocol at its one path. */
export const endpoint = (deps: EndpointDeps) => {
  const { service, limit, failed } = deps
  const authenticate = authenticator(service, failed)
  const answer = answering(deps)
  return async (ctx: ApiContext): Promise<void> => {
    ctx.state.operation = `agents ${ctx.method === 'POST' ? 'call' : 'session'}`
    const access = await authenticate(ctx)
    if (!access) return
    limit(ctx, access.caller)
    const sent = ctx.req.headers[SESSION]
    const session = typeof sent === 'string' ? ((await sessionOf(service, access, sent)) ?? null) : undefined
    if (ctx.method === 'POST') return answer(ctx, { access, session })
    if (session === null && !UNKNOWN_METHODS.has(ctx.method)) return answerNoSession(ctx)
    if (ctx.method === 'DELETE' && session) {
      await endSession(service, session)
      ctx.status = 204
      return
    }
    // Nothing is ever sent that was not asked for, so there is no stream to listen to.
    ctx.set('Allow', METHODS)
    answerError(ctx, 405, SERVER_ERROR, 'Method not allowed')
  }
}
