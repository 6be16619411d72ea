import { connect } from 'node:net'
import { expect } from 'chai'
import { type Random, random, seedOfRun } from '../../support/random.ts'
import { testService } from '../../support/service.ts'

const SENT = 2000
const AT_ONCE = 16
const MOST_CHANGES = 3
const PATIENCE_MS = 10_000
const CONTINUE = /^HTTP\/1\.1 100 Continue\r\n\r\n/

const requestsOf = (token: string, workspaceId: number): readonly string[] => {
  const contacts = `/api/v2/workspaces/${workspaceId}/contacts`
  const body = '{"contact":{"first_name":"A"}}'
  const head = `Host: localhost\r\nAuthorization: Bearer ${token}`
  return [
    `POST ${contacts} HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    `POST ${contacts} HTTP/1.1\r\n${head}\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    `GET ${contacts}?filter[id]=1&sort_order=desc HTTP/1.1\r\n${head}\r\nIf-None-Match: "x"\r\nContent-Encoding: gzip\r\n\r\n`,
    'OPTIONS /api/v2.json HTTP/1.1\r\nHost: localhost\r\nOrigin: https://x\r\nAccess-Control-Request-Method: PUT\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n',
    'GET /downloads/contacts/export_action/1?signature=abc&expires=1 HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'GET /metrics HTTP/1.0\r\nAccept: */*\r\n\r\n',
  ]
}

/** The text with some bytes changed, removed, or inserted. */
const spoilt = (text: string, chance: Random): Buffer => {
  let bytes = Buffer.from(text)
  for (let changes = chance.below(MOST_CHANGES + 1); changes > 0; changes--) {
    const at = chance.below(bytes.length)
    const [left, put] = [chance.below(5), chance.below(3)]
    const noise = Buffer.from(Array.from({ length: put }, () => chance.below(256)))
    bytes = Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at + left)])
  }
  return bytes
}

/** The complete answer until the connection ends; `undefined` when it does not end. */
const answerTo = (port: number, bytes: Buffer): Promise<string | undefined> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const givingUp = setTimeout(() => {
      resolve(undefined)
      socket.destroy()
    }, PATIENCE_MS)
    socket.on('data', (data) => {
      text += data
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(givingUp)
      resolve(text)
    })
    socket.end(bytes)
  })

describe('corrupted requests', () => {
  it('are answered like other requests, or not at all, and never with a 5xx', async () => {
    const service = await testService()
    const { token, workspaceId } = await service.tenant()
    const ports = [service.url, service.publicUrl].map((url) => Number(new URL(url).port))
    const requests = requestsOf(token, workspaceId)
    const chance = random(seedOfRun())
    const statuses = new Map<string, number>()
    let left = SENT
    const sender = async (): Promise<void> => {
      while (left-- > 0) {
        const bytes = spoilt(chance.pick(requests), chance)
        const answer = await answerTo(chance.pick(ports), bytes)
        const about = JSON.stringify(bytes.toString('latin1'))
        if (answer === undefined) throw new Error(`${about} holds its connection`)
        const [head] = answer.replace(CONTINUE, '').split('\r\n\r\n')
        const status = /^HTTP\/1\.1 (\d{3}) /.exec(head!)?.[1] ?? 'none'
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status === 'none') continue
        expect(Number(status), about).to.be.lessThan(500)
        expect(head, about).to.include('X-Content-Type-Options: nosniff')
        expect(head, about).to.match(/^Cache-Control: (private, no-store|(public, )?no-cache)$/m)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, sender))
    console.log(
      `      ${[...statuses]
        .sort()
        .map(([status, count]) => `${status}: ${count}`)
        .join(', ')}`,
    )
    expect([...statuses.keys()]).to.include.members(['200', '204', '400', '401', '403', '404'])
    expect((await fetch(`${service.url}/health/ready`)).status).to.equal(200)
  })
})
