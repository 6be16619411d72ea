import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { agentToken, ownerOf } from './agent-token.ts'
import { type Tenant, type TestService, testService } from './service.ts'

/** The two kinds of protocol that are served. */
export type Era = '2025-11-25' | '2026-07-28'

export const ERAS: readonly Era[] = ['2025-11-25', '2026-07-28']

/** Answer of a tool, as its text has it. */
export type Said = JsonObject & { readonly data?: unknown; readonly isError: boolean }

/** An agent that is connected. */
export interface TestAgent {
  readonly client: Client
  /** Calls a tool and returns its answer. */
  call(name: string, input?: JsonObject): Promise<Said>
  close(): Promise<void>
}

interface AgentOptions {
  readonly era?: Era
  readonly scopes?: readonly string[]
  readonly clientId?: string
  /** What somebody answers who is asked; without it the client cannot ask. */
  readonly says?: 'yes' | 'no' | 'nothing'
}

/** A workspace with its owner, whose agents can be let in. */
export interface AgentTenant extends Tenant {
  readonly service: TestService
  readonly ownerId: number
  /** Returns an access token of a program that the owner lets in. */
  letIn(scopes?: readonly string[], clientId?: string): Promise<string>
  agent(options?: AgentOptions): Promise<TestAgent>
}

const answers = {
  yes: { action: 'accept', content: { confirm: true } },
  no: { action: 'accept', content: { confirm: false } },
  nothing: { action: 'cancel' },
} as const

const isText = (one: unknown): one is { readonly text: string } =>
  typeof one === 'object' && one !== null && 'text' in one && typeof one.text === 'string'

interface ToolResult {
  readonly content?: unknown
  readonly structuredContent?: unknown
  readonly isError?: unknown
}

/** Returns the object that an answer says. */
export const saidIn = (result: ToolResult): Said => {
  const [first] = Array.isArray(result.content) ? result.content : []
  if (!isText(first)) throw new Error('the answer has no text')
  if (JSON.stringify(result.structuredContent) !== first.text) throw new Error('the answer is another one as an object')
  return { ...(JSON.parse(first.text) as JsonObject), isError: result.isError === true }
}

/** Connects an agent by the official client. */
export const connect = async (
  url: string,
  token: string,
  { era = '2026-07-28', says }: AgentOptions = {},
): Promise<TestAgent> => {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: says ? { elicitation: {} } : {},
      versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' },
    },
  )
  if (says) client.setRequestHandler('elicitation/create', async () => answers[says])
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  await client.connect(transport)
  return {
    client,
    call: async (name, input = {}) => saidIn(await client.callTool({ name, arguments: input })),
    close: () => client.close(),
  }
}

/** Makes a workspace whose owner lets agents in. */
export const agentTenant = async (from?: TestService): Promise<AgentTenant> => {
  const service = from ?? (await testService())
  const tenant = await service.tenant({ test: true })
  const { readModels, shortTerm } = service.background.stores
  const { teamId, workspaceId } = tenant
  const ownerId = await ownerOf(readModels.live, teamId)
  const letIn = (scopes: readonly string[] = ['read', 'write'], clientId?: string) =>
    agentToken(shortTerm, { userId: ownerId, workspaceId, scopes, ...(clientId !== undefined && { clientId }) })
  return {
    ...tenant,
    service,
    ownerId,
    letIn,
    agent: async (options = {}) => connect(service.agentsUrl, await letIn(options.scopes, options.clientId), options),
  }
}
