import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { connectionBounds, type Listening, openPort } from '../../infra/runtime/listening.ts'

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
