import { expect } from 'chai'
import { documentFetcher } from '../../../api/oauth/registration/metadata-documents.ts'
import type { OutboundFile, OutboundGet } from '../../../domain/kernel/ports/outbound.ts'
import { outboundClient } from '../../../infra/outbound/client.ts'
import { allow, consentTo, issuerOf, type Person, signedInPerson } from '../../support/oauth.ts'
import { agentRequest, exchange } from '../../support/oauth-agents.ts'
import { startTestService, type TestService } from '../../support/service.ts'

const ID = 'https://agent.example/oauth/client.json'
const SAID = {
  client_id: ID,
  client_name: 'Described',
  redirect_uris: ['http://127.0.0.1/callback', 'cursor://agent/callback'],
}

const file = (said: unknown, headers = {}): OutboundFile => ({
  ...{ kind: 'fetched', content: Buffer.from(typeof said === 'string' ? said : JSON.stringify(said)), headers },
})

describe('clients that are described at their id', () => {
  let service: TestService
  let person: Person
  /** What is at the addresses of clients, and what was asked for. */
  const documents = new Map<string, OutboundFile>()
  const asked: OutboundGet[] = []

  before(async () => {
    service = await startTestService()
    person = await signedInPerson(service)
    Object.assign(service.background.outbound, {
      get: async (request: OutboundGet): Promise<OutboundFile> => {
        asked.push(request)
        return documents.get(request.url) ?? { kind: 'failed', reason: 'the answer is 404' }
      },
    })
  })

  it('16 32: are announced in the metadata, shown with their host, and may authorize', async () => {
    documents.set(ID, file(SAID, { 'cache-control': 'max-age=300' }))
    const agent = { origin: issuerOf(service), clientId: ID }
    expect((await consentTo(person, agentRequest(agent))).html)
      .to.include('Described')
      .and.include('agent.example')
    const code = (await allow(person, agentRequest(agent))).searchParams.get('code')!
    const { status, body } = await exchange(agent, { code })
    expect(status, JSON.stringify(body)).to.equal(200)
    expect(body.access_token).to.match(/^mra_/)
    expect(asked.filter(({ url }) => url === ID)).to.have.length(1)
    expect(asked[0]).to.include({ mostBytes: 65_536, timeoutMs: 5000, mostRedirects: 0 })
  })

  it('16 32: a failed fetch, or a document that is not in order, is an error page', async () => {
    const cases: Record<string, OutboundFile> = {
      'nothing there': { kind: 'failed', reason: 'the answer is 404' },
      'a private address': { kind: 'refused', reason: 'it is a private address' },
      'no JSON': file('<html>'),
      'no object': file([]),
      'another client_id': file({ ...SAID, client_id: `${ID}?other` }),
      'no redirects': file({ client_id: 'SELF' }),
      'a forbidden redirect': file({ client_id: 'SELF', redirect_uris: ['javascript:alert(1)'] }),
    }
    for (const [index, [what, answer]] of Object.entries(cases).entries()) {
      const clientId = `https://agent.example/${index}.json`
      const named =
        answer.kind === 'fetched' ? file(Buffer.from(answer.content).toString().replace('SELF', clientId)) : answer
      documents.set(clientId, named)
      const page = await fetch(service.url + agentRequest({ origin: '', clientId }), { redirect: 'manual' })
      expect(page.status, what).to.equal(400)
      expect(page.headers.get('content-type')).to.match(/^text\/html/)
      const { status, body } = await exchange({ origin: service.url, clientId }, { code: 'none' })
      expect([status, body.error], what).to.satisfy(
        ([code, error]: [number, string]) => code < 500 && error.startsWith('invalid_client'),
      )
    }
  })

  it('16 32: redirects are checked against the document', async () => {
    documents.set(ID, file(SAID))
    const request = agentRequest({ origin: '', clientId: ID }, { redirect_uri: 'https://agent.example/callback' })
    const page = await fetch(service.url + request, { redirect: 'manual' })
    expect(page.status).to.equal(400)
    expect(await page.text()).to.include('invalid_redirect_uri')
  })

  it('16 32: the guarded client reaches no private address', async () => {
    const guarded = documentFetcher(outboundClient({ allowPrivate: false }))
    for (const id of [
      'https://127.0.0.1/client.json',
      'https://10.0.0.1/client.json',
      'https://[::1]/client.json',
      'https://localhost/c.json',
    ])
      await guarded(id).then(
        () => expect.fail(id),
        (error: Error) => expect(error.message, id).to.match(/address|host|private|public|network/i),
      )
  })

  it('16 32: one address has only so many documents fetched in a minute', async () => {
    const before = asked.length
    for (let count = 0; count < 40; count++) {
      const request = agentRequest({ origin: '', clientId: `https://crowd.example/${count}.json` })
      expect((await fetch(service.url + request, { redirect: 'manual' })).status).to.equal(400)
    }
    expect(asked.length - before).to.be.at.most(30)
  })
})
