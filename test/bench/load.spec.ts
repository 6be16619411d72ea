import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { timesOf } from '../../bench/beside.ts'
import { fire, shareOf } from '../../bench/load.ts'
import { processorsIn } from '../../bench/processors.ts'
import { partsOf, walkPart } from '../../bench/walk.ts'

describe('load', () => {
  it('is shared out among connections, each shot to one', () => {
    const all = [0, 1, 2, 3, 4]
    expect([0, 1].map((connection) => shareOf(all, 2, connection))).to.deep.equal([
      [0, 2, 4],
      [1, 3],
    ])
    expect(shareOf(all, 8, 3), 'all of them where there are too few').to.deep.equal(all)
  })

  it('reaches a server in all its shots, and is told apart by status', async () => {
    const seen = new Set<string>()
    const server = createServer((request, response) => {
      seen.add(request.url!)
      response.writeHead(request.url === '/new' ? 201 : 200).end('x')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const shots = ['/a', '/b', '/new'].map((path) => ({ method: 'GET', path }) as const)
    const { latencies, byStatus, perSecond } = await fire({ url, shots }, 2, 1, { requests: 40 })
    server.close()
    expect([...seen].sort()).to.deep.equal(['/a', '/b', '/new'])
    expect(latencies.length, 'without the first of each connection').to.equal(38)
    expect((byStatus.get(200)?.length ?? 0) + (byStatus.get(201)?.length ?? 0)).to.equal(38)
    expect(perSecond).to.be.greaterThan(0)
  })

  it('is measured by the usual times', () => {
    expect(timesOf([3, 1, 2])).to.deep.equal({ p50: 2, p99: 2.98, slowest: 3 })
  })
})

describe('a walk over a list', () => {
  const ids = Array.from({ length: 50 }, (_, i) => 1000 + i * 7)
  const page = async (after: number) => ids.filter((id) => id > after).slice(0, 20)

  it('finds every id once, wherever its parts begin, and whatever the ids are', async () => {
    const sample = [ids[0]!, ids[13]!, ids[33]!]
    const found = await Promise.all(partsOf(sample).map((part) => walkPart(part, page)))
    expect(found.flat()).to.deep.equal(ids)
  })
})

describe('processors', () => {
  it('are read as the kernel lists them', () => {
    expect(processorsIn('0')).to.deep.equal([0])
    expect(processorsIn('0-2,5,7-8')).to.deep.equal([0, 1, 2, 5, 7, 8])
  })
})
