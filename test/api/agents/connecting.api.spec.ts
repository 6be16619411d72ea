import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { expect } from 'chai'
import { ERAS, type Era, saidIn } from '../../support/agents.ts'
import { allow, type Person, signedInPerson } from '../../support/oauth.ts'
import { type TestService, testService } from '../../support/service.ts'

/** Program that keeps what it is given, and sends its user to the pages of the authorization server. */
class Program implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:51014/callback'
  readonly #wanted: string | undefined
  asked: URL | undefined
  #client: OAuthClientInformationMixed | undefined
  #tokens: OAuthTokens | undefined
  #verifier = ''
  #state: OAuthDiscoveryState | undefined

  constructor(wanted?: string) {
    this.#wanted = wanted
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'A program',
      redirect_uris: [this.redirectUrl],
      token_endpoint_auth_method: 'none',
    }
  }
  clientInformation = () => this.#client
  saveClientInformation = (client: OAuthClientInformationMixed) => {
    this.#client = client
  }
  tokens = () => this.#tokens
  saveTokens = (tokens: OAuthTokens) => {
    this.#tokens = tokens
  }
  redirectToAuthorization = (url: URL) => {
    // The client asks for what the refusal named. Its user may want less at first.
    if (!this.asked && this.#wanted !== undefined) url.searchParams.set('scope', this.#wanted)
    this.asked = url
  }
  saveDiscoveryState = (state: OAuthDiscoveryState) => {
    this.#state = state
  }
  discoveryState = () => this.#state
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier
  }
  codeVerifier = () => this.#verifier
}

describe('the official client of agents', () => {
  let service: TestService
  let person: Person

  before(async () => {
    service = await testService()
    person = await signedInPerson(service)
  })

  const newClient = (era: Era) =>
    new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' } },
    )
  const transportOf = (authProvider: Program) =>
    new StreamableHTTPClientTransport(new URL(service.agentsUrl), { authProvider })

  /** Lets the user decide, and hands the program what it gets. */
  const finish = async (program: Program, transport: StreamableHTTPClientTransport): Promise<void> => {
    const target = await allow(person, program.asked!)
    await transport.finishAuth(target.searchParams)
  }

  for (const era of ERAS)
    it(`16 56: connects with nothing but the address, registers, is let in, lists and calls, by ${era}`, async () => {
      const program = new Program()
      const refused = transportOf(program)
      const error = await newClient(era)
        .connect(refused)
        .catch((thrown: unknown) => thrown)
      expect(error).to.be.instanceOf(UnauthorizedError)
      expect(program.asked?.searchParams.get('resource')).to.equal(service.agentsUrl)
      await finish(program, refused)
      const client = newClient(era)
      await client.connect(transportOf(program))
      expect((await client.listTools()).tools).to.have.length.above(10)
      const call = { operation_id: 'createContacts', body: { contact: { first_name: 'Ann' } } }
      const said = saidIn(await client.callTool({ name: 'call_write_operation', arguments: call }))
      expect(said).to.include({ status: 201, isError: false })
      const { body } = await person.tenant.api.get(`/contacts/${(said.data as { id: number }).id}`)
      expect(body).to.include({ first_name: 'Ann', workspace_id: person.tenant.workspaceId })
      await client.close()
    })

  it('16 45: asks for the scope that a call lacks, beside those that it has', async () => {
    const program = new Program('read')
    const refused = transportOf(program)
    await newClient('2026-07-28')
      .connect(refused)
      .catch(() => undefined)
    await finish(program, refused)
    expect(program.tokens()?.scope).to.equal('read')
    const transport = transportOf(program)
    const client = newClient('2026-07-28')
    await client.connect(transport)
    const body = { contact: { first_name: 'Ida' } }
    const call = () =>
      client.callTool({ name: 'call_write_operation', arguments: { operation_id: 'createContacts', body } })
    expect(await call().catch((thrown: unknown) => thrown)).to.be.instanceOf(Error)
    expect(program.asked?.searchParams.get('scope')).to.equal('read contacts:write')
    await finish(program, transport)
    expect(saidIn(await call())).to.include({ status: 201 })
    await client.close()
  })
})
