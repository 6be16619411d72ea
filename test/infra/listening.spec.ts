import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { tagsMeant } from '../../api/http/meant-headers.ts'
import { connectionBounds, type Listening, openPort, type Port } from '../../infra/runtime/listening.ts'

describe('connections', () => {
  const bounds = { total: 4, each: 3, requestMs: 60_000 }
  let listening: Listening
  const sockets: Socket[] = []
  const start = async (proxies: number) => {
    const address = { host: '127.0.0.1', port: 0, setting: 'PORT' }
    listening = await openPort((_, response) => response.end('here'), address, connectionBounds(bounds, proxies))
  }
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await listening.drain()
  })

  /** Connects from an address of this machine and sends a request. @returns whether it was answered, and the connection */
  const ask = async (localAddress: string) => {
    const socket = connect({ port: Number(new URL(listening.url).port), host: '127.0.0.1', localAddress })
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const isAnswered = await Promise.race([
      once(socket, 'data').then(() => true),
      once(socket, 'close').then(() => false),
    ])
    return { isAnswered, socket }
  }

  it('are bounded by address, and a closed one makes room', async () => {
    await start(0)
    const own = [await ask('127.0.0.1'), await ask('127.0.0.1'), await ask('127.0.0.1')]
    expect(own.map(({ isAnswered }) => isAnswered)).to.deep.equal([true, true, true])
    expect((await ask('127.0.0.1')).isAnswered).to.equal(false)
    expect((await ask('127.0.0.2')).isAnswered).to.equal(true)
    own[0]!.socket.destroy()
    let isAnswered = false
    for (let tries = 0; tries < 100 && !isAnswered; tries++) isAnswered = (await ask('127.0.0.1')).isAnswered
    expect(isAnswered).to.equal(true)
  })

  it('are bounded in total, and idle ones make room for new ones', async () => {
    await start(0)
    for (const address of ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'])
      expect((await ask(address)).isAnswered, address).to.equal(true)
    const idle = [...sockets]
    expect((await ask('127.0.0.5')).isAnswered).to.equal(false)
    await Promise.all(idle.map((socket) => socket.closed || once(socket, 'close')))
    expect((await ask('127.0.0.5')).isAnswered).to.equal(true)
  })

  it('are bounded in total alone behind a proxy, from which all of them come', async () => {
    await start(1)
    for (let number = 0; number < 4; number++) expect((await ask('127.0.0.1')).isAnswered).to.equal(true)
    expect((await ask('127.0.0.1')).isAnswered).to.equal(false)
  })
})

describe('headers of requests', () => {
  let port: Port
  before(async () => {
    const bounds = { total: 100, each: 100, requestMs: 60_000 }
    const seen: RequestListener = ({ headers }, response) =>
      response.end(
        JSON.stringify([headers.host, headers['x-forwarded-for'], headers['if-none-match'], headers['if-match']]),
      )
    port = await openPort(seen, { host: '127.0.0.1', port: 0, setting: 'PORT' }, bounds)
  })
  after(() => port.drain())

  const ask = async (lines: string) => {
    const socket = connect({ port: Number(new URL(port.url).port), host: '127.0.0.1' })
    socket.end(Buffer.from(`GET / HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`))
    const answer = await text(socket)
    return { status: Number(answer.split(' ')[1]), seen: answer.split('\r\n\r\n')[1] }
  }

  it('name one host, in any spelling of it', async () => {
    const taken = {
      'shop.example': 'shop.example',
      'shop.example:8080': 'shop.example:8080',
      'shop.example:': 'shop.example',
      'Shop.Example.:': 'Shop.Example.',
      'bücher.localhost:81': 'xn--bcher-kva.localhost:81',
      'BÜCHER.localhost': 'xn--bcher-kva.localhost',
      my_host: 'my_host',
      '[::1]:': '[::1]',
      '127.0.0.1:': '127.0.0.1',
    }
    for (const [sent, host] of Object.entries(taken)) {
      const { status, seen } = await ask(`Host: ${sent}\r\n`)
      expect([status, JSON.parse(seen!)[0]], sent).to.deep.equal([200, host])
    }
    for (const lines of [
      '',
      'Host: demo.localhost, evil.example\r\n',
      'Host: user@demo.localhost\r\n',
      'Host: demo.localhost/path\r\n',
      'Host: demo.localhost evil.example\r\n',
      'Host: demo.localhost\r\nHost: evil.example\r\n',
    ])
      expect((await ask(lines)).status, lines).to.equal(400)
    expect((await ask('Host: b\u0000cher\r\n')).status).to.equal(400)
  })

  it('name the addresses of those who asked a proxy, in any form of them', async () => {
    const forms = {
      '203.0.113.7': '203.0.113.7',
      '203.0.113.7,': '203.0.113.7',
      '203.0.113.7:4711, 198.51.100.2': '203.0.113.7, 198.51.100.2',
      '"[2001:db8:9::1]:4711"': '2001:db8:9::1',
      '[2001:db8:9::1], "203.0.113.7"': '2001:db8:9::1, 203.0.113.7',
      ' , unknown,, _hidden': 'unknown, _hidden',
    }
    for (const [sent, meant] of Object.entries(forms)) {
      const { seen } = await ask(`Host: a\r\nX-Forwarded-For: ${sent}\r\n`)
      expect(JSON.parse(seen!)[1], sent).to.equal(meant)
    }
  })

  it('name tags also as they were before a proxy added a coding to them', async () => {
    const tags = {
      'W/"abc"': 'W/"abc"',
      '*': '*',
      'W/"abc-gzip"': 'W/"abc-gzip", W/"abc"',
      '"12-gzip"': '"12-gzip", "12"',
      '"a;br", "b"': '"a;br", "a", "b"',
      '"a-b"': '"a-b"',
    }
    for (const [sent, meant] of Object.entries(tags)) expect(tagsMeant(sent), sent).to.equal(meant)
    const { seen } = await ask('Host: a\r\nIf-None-Match: "x-gzip"\r\nIf-Match: "1-br"\r\n')
    expect(JSON.parse(seen!).slice(2)).to.deep.equal(['"x-gzip", "x"', '"1-br", "1"'])
  })
})
