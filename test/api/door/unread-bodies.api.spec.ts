import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { startTestService, type Tenant, type TestService, testService } from '../../support/service.ts'

interface Ended {
  readonly answer: string
  /** Milliseconds from the request head to the first byte of the answer. */
  readonly answeredAfter: number
  readonly endedAfter: number
}

const DRIP_MS = 50
/** The body would take hours. Whatever is answered and closed before the client gives up is so by the service. */
const PATIENCE_MS = 30_000

/** Sends a head that announces a large body, then small pieces of the body until the connection ends. */
const drip = (url: string, lines: readonly string[], piece = 'x'.repeat(10)): Promise<Ended> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const begun = performance.now()
    let answer = ''
    let answeredAfter = Number.POSITIVE_INFINITY
    const dripping = setInterval(() => socket.write(piece), DRIP_MS)
    const givingUp = setTimeout(() => socket.destroy(), PATIENCE_MS)
    socket.on('data', (data) => {
      if (answer === '') answeredAfter = performance.now() - begun
      answer += data
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(dripping)
      clearTimeout(givingUp)
      resolve({ answer, answeredAfter, endedAfter: performance.now() - begun })
    })
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  })

/** Sends one request on a new connection. @returns the whole answer */
const exchange = async (
  url: string,
  parts: readonly string[],
  pauseMs = 200,
): Promise<{ text: string; open: boolean }> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  let open = true
  socket.on('data', (data) => {
    text += data
  })
  socket.on('close', () => {
    open = false
  })
  for (const part of parts) {
    socket.write(part)
    await sleep(pauseMs)
  }
  const ended = { text, open }
  socket.destroy()
  return ended
}

describe('a body that is refused before it is read', () => {
  let service: TestService
  let tenant: Tenant
  let contacts: string
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    contacts = `/api/v2/workspaces/${tenant.workspaceId}/contacts`
  })

  const head = (path: string, { token = tenant.token, length = 'Content-Length: 1000000', method = 'POST' } = {}) => [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    length,
  ]

  const expectCut = ({ answer, answeredAfter, endedAfter }: Ended, status: number, about: string): void => {
    expect(answer, about).to.match(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer, about).to.match(/^Connection: close$/im)
    const [, body] = answer.split('\r\n\r\n')
    expect(JSON.parse(body!), about).to.have.keys('error', 'details', 'request_id')
    expect(answeredAfter, `${about}: answered`).to.be.lessThan(PATIENCE_MS)
    expect(endedAfter, `${about}: ended`).to.be.lessThan(PATIENCE_MS)
  }

  it('is answered at once, and its connection is closed, for every kind of refusal', async () => {
    const reader = await service.background.accounts.issueKey({
      teamId: tenant.teamId,
      workspaceId: tenant.workspaceId,
      scopes: ['contacts:read'],
      label: 'reader',
    })
    const limited = await startTestService({ MILLRACE_RATE_LIMIT: '1' })
    const other = await limited.tenant()
    await other.api.get('/me')
    const chunked = { length: 'Transfer-Encoding: chunked' }
    const large = { length: 'Content-Length: 2000000' }
    const cases: readonly (readonly [number, string, Promise<Ended>])[] = [
      [401, 'unknown token', drip(service.url, head(contacts, { token: 'mr_unknown' }))],
      [401, 'in chunks', drip(service.url, head(contacts, { token: 'mr_unknown', ...chunked }), '5\r\nxxxxx\r\n')],
      [403, 'no scope', drip(service.url, head(contacts, { token: reader.token }))],
      [404, 'no route', drip(service.url, head('/api/v2/nothing'))],
      [404, 'public listener', drip(service.publicUrl, head('/downloads/nothing'))],
      [413, 'too large', drip(service.url, head(contacts, large))],
      [
        429,
        'too often',
        drip(limited.url, head(`/api/v2/workspaces/${other.workspaceId}/contacts`, { token: other.token })),
      ],
    ]
    for (const [status, about, ended] of cases) expectCut(await ended, status, `${status} ${about}`)
  })

  it('also closes its connection when the answer is no refusal', async () => {
    const { answer, answeredAfter, endedAfter } = await drip(service.url, head('/health/live', { method: 'GET' }))
    expect(answer).to.match(/^HTTP\/1.1 200 /)
    expect(answeredAfter).to.be.lessThan(PATIENCE_MS)
    expect(endedAfter).to.be.lessThan(PATIENCE_MS)
  })

  it('closes its connection when a small body was announced and does not arrive', async () => {
    const small = head(contacts, { token: 'mr_unknown', length: 'Content-Length: 20000' })
    const { answer, endedAfter } = await drip(service.url, small)
    expect(answer).to.match(/^HTTP\/1.1 401 /)
    expect(endedAfter).to.be.lessThan(PATIENCE_MS)
  })

  it('is not read at full speed forever either', async () => {
    const flood = await drip(
      service.url,
      head(contacts, { token: 'mr_unknown', length: 'Content-Length: 9000000000' }),
      'x'.repeat(1_000_000),
    )
    expectCut(flood, 401, 'flood')
  })

  it('leaves the connection open for the next request when the body is complete', async () => {
    const small = [...head(contacts, { token: 'mr_unknown', length: 'Content-Length: 2' })].join('\r\n')
    const { text, open } = await exchange(service.url, [`${small}\r\n\r\n{}`, `${small}\r\n\r\n{}`])
    expect(text.match(/HTTP\/1.1 401 /g)).to.have.length(2)
    expect(text).not.to.match(/^Connection: close$/im)
    expect(open).to.equal(true)
  })

  it('is not requested when the client asks first', async () => {
    const asking = (token: string) =>
      `${head(contacts, { token, length: 'Content-Length: 31' }).join('\r\n')}\r\nExpect: 100-continue\r\n\r\n`
    const refused = await exchange(service.url, [asking('mr_unknown')])
    expect(refused.text).to.match(/^HTTP\/1.1 401 /)
    const taken = await exchange(service.url, [asking(tenant.token), '{"contact": {"first_name":"A"}}'])
    expect(taken.text).to.match(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /)
  })
})
