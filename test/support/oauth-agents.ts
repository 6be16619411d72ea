import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import Koa from 'koa'
import { pino } from 'pino'
import { bodiesOfStrangers } from '../../api/http/bodies-of-strangers.ts'
import { failedAttempts } from '../../api/http/failed-attempts.ts'
import { oauthServer } from '../../api/oauth/serve.ts'
import { allow, issuerOf, type Person } from './oauth.ts'
import type { TestService } from './service.ts'

/** Answer of an endpoint for programs. */
export interface ProgramAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: JSON whose shape the tests check.
  readonly body: any
  readonly headers: Headers
}

const answered = async (answer: Response): Promise<ProgramAnswer> => {
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers }
}

type Sent = Readonly<Record<string, string | undefined>>

const given = (fields: Sent): [string, string][] =>
  Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]]))

/** Sends a form to an endpoint for programs. */
export const sendForm = async (
  url: string,
  fields: Sent,
  headers: Record<string, string> = {},
): Promise<ProgramAnswer> =>
  answered(await fetch(url, { method: 'POST', body: new URLSearchParams(given(fields)), headers }))

/** Sends JSON to an endpoint for programs. */
export const sendJson = async (url: string, body: unknown): Promise<ProgramAnswer> =>
  answered(
    await fetch(url, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  )

/** Agent that has registered itself, with an origin of the authorization server. */
export interface Agent {
  readonly origin: string
  readonly clientId: string
}

export const AGENT_CALLBACK = 'http://127.0.0.1:51004/callback'

/** Registers an agent. */
export const registeredAgent = async (origin: string, metadata: object = {}): Promise<Agent> => {
  const said = { client_name: 'An agent', redirect_uris: ['http://127.0.0.1/callback'], ...metadata }
  const { status, body } = await sendJson(`${origin}/oauth/register`, said)
  expect(status, JSON.stringify(body)).to.equal(201)
  return { origin, clientId: body.client_id }
}

const VERIFIER = 'a-verifier-of-forty-three-characters-or-more-0'
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

/** Returns an authorization request of an agent. A parameter that is `undefined` is left out. */
export const agentRequest = ({ clientId }: Agent, more: Sent = {}): string =>
  `/oauth/authorize?${new URLSearchParams(
    given({
      ...{ response_type: 'code', client_id: clientId, redirect_uri: AGENT_CALLBACK, state: 'the state' },
      ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', ...more },
    }),
  )}`

/** Exchanges a code, or sends another token request. */
export const exchange = ({ origin, clientId }: Agent, fields: Sent): Promise<ProgramAnswer> =>
  sendForm(`${origin}/oauth/token`, {
    ...{ grant_type: 'authorization_code', client_id: clientId, redirect_uri: AGENT_CALLBACK, code_verifier: VERIFIER },
    ...fields,
  })

/** Refreshes the tokens of an agent. */
export const refresh = (agent: Agent, refresh_token: string, more: Sent = {}): Promise<ProgramAnswer> =>
  exchange(agent, {
    ...{ grant_type: 'refresh_token', redirect_uri: undefined, code_verifier: undefined, refresh_token, ...more },
  })

/** Returns a code that a person has allowed. */
export const codeFor = async (person: Pick<Person, 'browser'>, agent: Agent, more: Sent = {}): Promise<string> =>
  (await allow(person, agentRequest(agent, more))).searchParams.get('code') ?? ''

/** Returns the tokens that a person has allowed an agent. */
export const tokensFor = async (
  person: Pick<Person, 'browser'>,
  agent: Agent,
  more: Sent = {},
  // biome-ignore lint/suspicious/noExplicitAny: JSON whose shape the tests check.
): Promise<any> => {
  const { status, body } = await exchange(agent, { code: await codeFor(person, agent, more) })
  expect(status, JSON.stringify(body)).to.equal(200)
  return body
}

/** Serves the authorization server once more over the stores of a service, as another process does. @returns its origin, and how to end it */
export const secondServer = async (service: TestService, { now = Date.now } = {}) => {
  const { core, stores, outbound } = service.background
  const own = {
    ...core,
    ...{ log: stores.log, everywhere: stores.readModels.live, secrets: stores.secrets, shortTerm: stores.shortTerm },
    ...{ outbound, progress: service.background, now, logger: pino({ level: 'silent' }) },
    ...{ accountsUrl: issuerOf(service), agentsUrl: service.agentsUrl, userMail: undefined },
  }
  const app = new Koa()
  const state = { requestId: 'second', headers: [] }
  app.use((ctx, next) => {
    ctx.state = state
    return next()
  })
  app.use(oauthServer(own, failedAttempts(0), bodiesOfStrangers()) as unknown as Koa.Middleware)
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}
