import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect } from 'chai'
import type { ApiContext } from '../../../api/http/context.ts'
import { inProgressLimit } from '../../../api/http/limits.ts'

const ONE = { total: 1, each: 1 }

/** Whoever goes away before their request is counted, as in the middle of a look-up, would be counted for ever. */
describe('requests whose client has gone', () => {
  let server: Server
  let answer: RequestListener
  before(async () => {
    server = createServer((req, res) => answer(req, res)).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(() => server.close())

  it('are not counted among those in progress', async () => {
    const limit = inProgressLimit({ reads: ONE, others: ONE })
    const counted = new Promise<void>((resolve, reject) => {
      answer = async (_, res) => {
        await once(res, 'close')
        const ctx = { ip: '192.0.2.1', method: 'POST', res } as unknown as ApiContext
        limit(ctx, async () => undefined).then(() => resolve(), reject)
      }
    })
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    client.write('POST / HTTP/1.1\r\nHost: shop.example\r\n\r\n', () => client.destroy())
    await counted
    answer = async (_, res) => {
      const ctx = { ip: '192.0.2.1', method: 'POST', res } as unknown as ApiContext
      const served = await Promise.resolve()
        .then(() => limit(ctx, async () => 'served'))
        .catch(String)
      res.end(served)
    }
    const { port } = server.address() as AddressInfo
    for (let time = 0; time < 2; time++)
      expect(await (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST' })).text()).to.equal('served')
  })
})
