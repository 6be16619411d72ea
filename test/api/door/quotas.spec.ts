import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { Quota } from '../../../api/http/quota.ts'
import { tokenBuckets } from '../../../api/http/token-buckets.ts'
import { testService } from '../../support/service.ts'

describe('A quota', () => {
  it('bounds each holder and all together, and takes nothing when it refuses', () => {
    const quota = new Quota<string>({ total: 10, each: 6 })
    expect(quota.take('a', 6)).to.equal(undefined)
    expect(quota.take('a')).to.equal('each')
    expect(quota.take('b', 5)).to.equal('total')
    expect(quota.take('b', 4)).to.equal(undefined)
    quota.give('a', 6)
    expect(quota.take('b', 2)).to.equal(undefined)
    expect(quota.take('b')).to.equal('each')
    expect(quota.take('c', 4)).to.equal(undefined)
    expect(quota.take('c')).to.equal('total')
  })
})

describe('Token buckets', () => {
  it('let ten seconds of the rate through at once, and the rate after that', () => {
    let now = 0
    const secondsUntil = tokenBuckets(60, () => now)
    const taken = (): number => {
      let count = 0
      while (secondsUntil('a') === 0) count++
      return count
    }
    expect(taken()).to.equal(10)
    expect(secondsUntil('a')).to.equal(1)
    expect(secondsUntil('b')).to.equal(0)
    now = 3000
    expect(taken()).to.equal(3)
    now = 1_000_000
    expect(taken()).to.equal(10)
  })

  it('are for no more than 10,000 keys', () => {
    const secondsUntil = tokenBuckets(6, () => 0)
    expect([secondsUntil('first'), secondsUntil('first')]).to.deep.equal([0, 10])
    for (let number = 0; number < 9999; number++) secondsUntil(`key ${number}`)
    expect(secondsUntil('first'), 'used again').to.equal(10)
    for (let number = 0; number < 10_000; number++) secondsUntil(`other ${number}`)
    expect(secondsUntil('first'), 'dropped').to.equal(0)
  })
})

describe('Bodies of one token', () => {
  const sockets: Socket[] = []
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })

  it('are bounded together while they arrive, and leave those of others alone', async () => {
    const service = await testService()
    const [greedy, other] = [await service.tenant(), await service.tenant()]
    const { hostname, port } = new URL(service.url)
    const head = [
      `POST /api/v2/workspaces/${greedy.workspaceId}/contacts HTTP/1.1`,
      ...['Host: localhost', `Authorization: Bearer ${greedy.token}`, 'Content-Length: 1048576'],
    ]
    const statuses: number[] = []
    for (let number = 0; number < 34; number++) {
      const socket = connect(Number(port), hostname)
      sockets.push(socket)
      socket.on('data', (data) => statuses.push(Number(data.toString('latin1').slice(9, 12))))
      socket.write(`${head.join('\r\n')}\r\n\r\n{`)
    }
    await Promise.any(sockets.map((socket) => once(socket, 'data')))
    const contact = { email_address: 'other@example.com' }
    expect((await other.api.post(`/workspaces/${other.workspaceId}/contacts`, { contact })).status).to.equal(201)
    expect(new Set(statuses)).to.deep.equal(new Set([429]))
    for (const socket of sockets.splice(0)) socket.destroy()
    let status = 429
    while (status === 429)
      status = (await greedy.api.post(`/workspaces/${greedy.workspaceId}/contacts`, { contact })).status
    expect(status).to.equal(201)
  })
})
