import { createServer as createHttp } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { expect } from 'chai'
import { type OutboundClient, outboundClient } from '../../../infra/outbound/client.ts'

const HEAD = 'HTTP/1.1 200 OK\r\n'
const request = { headers: { 'content-type': 'application/json' }, body: '{}' }

describe('answers of hostile servers', () => {
  let client: OutboundClient
  let server: Server | undefined
  const sockets = new Set<Socket>()

  beforeEach(() => {
    client = outboundClient({ allowPrivate: true, limits: { timeoutMs: 400 } })
  })
  afterEach(async () => {
    await client.close()
    for (const socket of sockets) socket.destroy()
    server?.close()
  })

  const post = async (behave: (socket: Socket) => void) => {
    server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {}).once('data', () => behave(socket))
    })
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
    const started = performance.now()
    const result = await client.post({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, ...request })
    return { result, ms: performance.now() - started }
  }

  const drip = (socket: Socket, piece: string) => {
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(piece)), 20)
    socket.once('close', () => clearInterval(timer))
  }

  it('that never come end at the deadline', async () => {
    const { result, ms } = await post(() => {})
    expect(result).to.deep.equal({ kind: 'failed', reason: 'no answer within 0.4 s' })
    expect(ms).to.be.within(350, 900)
  })

  it('whose headers drip end at the deadline', async () => {
    const { result, ms } = await post((socket) => {
      socket.write(HEAD)
      drip(socket, 'x-drip: 1\r\n')
    })
    expect(result).to.include({ kind: 'failed' })
    expect(ms).to.be.below(900)
  })

  it('that send only informational responses count as no answer', async () => {
    const { result } = await post((socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'))
    expect(result).to.include({ kind: 'failed', reason: 'no answer within 0.4 s' })
  })

  it('whose body drips count by their status when the deadline cuts them', async () => {
    const { result, ms } = await post((socket) => {
      socket.write(`${HEAD}content-length: 100000\r\n\r\n`)
      drip(socket, 'x')
    })
    expect(result).to.include({ kind: 'answered', status: 200 })
    expect(ms).to.be.within(350, 900)
  })

  it('of any size are cut', async () => {
    let sent = 0
    const block = 'x'.repeat(65_536)
    const { result } = await post((socket) => {
      socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`)
      const more = () => {
        while (!socket.destroyed && socket.write(`10000\r\n${block}\r\n`)) sent += block.length
        sent += block.length
      }
      socket.on('drain', more)
      more()
    })
    expect(result).to.include({ kind: 'answered', status: 200 })
    if (result.kind === 'answered') expect(result.excerpt).to.have.length(1024)
    expect(sent).to.be.below(20_000_000)
  })

  it('with headers without end fail', async () => {
    const { result } = await post((socket) => socket.write(`${HEAD}x-long: ${'y'.repeat(100_000)}\r\n\r\n`))
    expect(result).to.deep.equal({ kind: 'failed', reason: 'the headers of the answer are too large' })
  })

  it('that are not HTTP fail', async () => {
    const { result } = await post((socket) => socket.end('220 mail.example.com ESMTP\r\n'))
    expect(result).to.deep.equal({ kind: 'failed', reason: 'the answer is not HTTP' })
  })

  it('cut off in the middle fail', async () => {
    const { result } = await post((socket) => socket.destroy())
    expect(result).to.deep.equal({ kind: 'failed', reason: 'the connection was closed by the other side' })
  })

  it('to nowhere fail with a reason that names no address', async () => {
    expect(await client.post({ url: 'http://127.0.0.1:1/', ...request })).to.deep.equal({
      kind: 'failed',
      reason: 'the connection was refused',
    })
  })

  it('in broken text and with NUL are made storable', async () => {
    const { result } = await post((socket) =>
      socket.end(Buffer.concat([Buffer.from(`${HEAD}content-length: 4\r\n\r\n`), Buffer.of(0xff, 0, 0xc3, 0x41)])),
    )
    if (result.kind !== 'answered') throw new Error(JSON.stringify(result))
    expect(result.excerpt.isWellFormed()).to.equal(true)
    expect(result.excerpt).to.not.include('\u0000')
  })

  it('leave their connection to the next requests when they behave', async () => {
    let connections = 0
    const http = createHttp((incoming, response) => incoming.resume().on('end', () => response.end('ok')))
    server = http.on('connection', () => connections++)
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
    for (let i = 0; i < 20; i++) await client.post({ url, ...request })
    expect(connections).to.be.at.most(2)
  })
})
