import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { startTestService, type Tenant } from '../support/service.ts'
import { createdBody } from '../support/traffic/funnels.ts'

interface Asked {
  readonly authorization: string | undefined
  readonly path: string | undefined
  readonly body: {
    readonly model: string
    readonly messages: readonly { readonly role: string; readonly content: string }[]
  }
}

const bodyOf = async (request: IncomingMessage): Promise<Asked['body']> => {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.parse(text)
}

describe('contact filters by a language model', () => {
  let server: Server
  let tenant: Tenant
  let asked: Asked | undefined
  let reply: { status?: number; content?: string | null; finish?: string; raw?: string } = {}

  before(async () => {
    server = createServer(async (request, response) => {
      asked = { authorization: request.headers.authorization, path: request.url, body: await bodyOf(request) }
      const choice = { finish_reason: reply.finish ?? 'stop', message: { content: reply.content ?? null } }
      response.writeHead(reply.status ?? 200).end(reply.raw ?? JSON.stringify({ choices: [choice] }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/v1/`
    const service = await startTestService({
      MILLRACE_MODEL_URL: url,
      MILLRACE_MODEL: 'small',
      MILLRACE_MODEL_KEY: 'secret',
    })
    tenant = await service.tenant()
  })
  after(() => server.close())

  const generate = (answer: typeof reply, body: object = {}) => {
    reply = answer
    return tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts/filters`, { text: 'our best people', ...body })
  }

  it('asks with the attributes and the tags of the workspace, and checks what comes back', async () => {
    const tags = `/workspaces/${tenant.workspaceId}/contacts/tags`
    const tag = createdBody(await tenant.api.post(tags, { contacts_tag: { name: 'Best' } }))
    const criteria = [{ attribute: 'tags.id', clause: 'eq', value: tag.public_id }]
    const { status, body } = await generate({ content: JSON.stringify({ conjunction: 'and', criteria }) })
    expect(status).to.equal(201)
    expect(body.filter).to.deep.equal({ conjunction: 'and', criteria: [{ ...criteria[0], value: [tag.public_id] }] })
    expect(asked).to.include({ authorization: 'Bearer secret', path: '/v1/chat/completions' })
    expect(asked?.body.model).to.equal('small')
    const [system, user] = asked!.body.messages
    expect(system?.content).to.include(tag.public_id).and.include('email_address')
    expect(user).to.deep.equal({ role: 'user', content: 'our best people' })
  })

  for (const [what, answer, status, says] of [
    [
      'a filter that names what is not there',
      { content: '{"criteria":[{"attribute":"tags.id","clause":"eq","value":"x"}]}' },
      422,
      'contains ids not found in this workspace',
    ],
    [
      'a filter with made-up attributes',
      { content: '{"criteria":[{"attribute":"mood","clause":"eq","value":"x"}]}' },
      422,
      "'mood' is not a known attribute",
    ],
    ['no filter', { content: '{"criteria":[]}' }, 422, 'No filter could be made of the text'],
    ['prose', { content: 'I am sorry' }, 422, 'No filter could be made of the text'],
    ['an answer without content', { content: null }, 422, 'No filter could be made of the text'],
    [
      'an answer that was cut off',
      { content: '{"criteria":[', finish: 'length' },
      422,
      'The request is too large to translate into a contact filter.',
    ],
    ['an error', { status: 500 }, 503, 'Service unavailable: Transient service issue: Please try again shortly.'],
    ['a limit', { status: 429 }, 503, 'Service unavailable: Transient service issue: Please try again shortly.'],
    [
      'no JSON at all',
      { raw: '<html>' },
      503,
      'Service unavailable: Transient service issue: Please try again shortly.',
    ],
  ] as const) {
    it(`answers ${status} to ${what}`, async () => {
      const refused = await generate(answer, { save: true })
      expect([refused.status, refused.body.error.includes(says)], refused.body.error).to.deep.equal([status, true])
    })
  }
})
