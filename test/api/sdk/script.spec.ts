import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import Koa from 'koa'
import { scripts } from '../../../api/sdk/script.ts'

const BUILT = path.join(import.meta.dirname, '../../../sdk')

describe('files of the browser SDK', () => {
  let server: Server
  let url = ''
  let chunks: Record<string, string> = {}
  before(async () => {
    const app = new Koa()
    app.use(scripts(BUILT) as unknown as Koa.Middleware)
    server = createServer(app.callback()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    chunks = JSON.parse(await readFile(path.join(BUILT, 'manifest.json'), 'utf8')).chunks
  })
  after(() => void server.close())

  it('are sent compressed, to every origin', async () => {
    const code = await readFile(path.join(BUILT, 'sdk.js'), 'utf8')
    for (const encoding of ['br', 'gzip', 'identity']) {
      const answer = await fetch(`${url}/sdk.js`, { headers: { 'Accept-Encoding': encoding } })
      expect(await answer.text()).to.equal(code)
      expect(answer.headers.get('content-encoding')).to.equal(encoding === 'identity' ? null : encoding)
      expect(Object.fromEntries(answer.headers)).to.include({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=300',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        vary: 'Accept-Encoding',
      })
    }
  })

  it('are not sent again to who has them', async () => {
    const first = await fetch(`${url}/sdk.js`)
    // Else `fetch` asks for a copy that nobody has kept.
    const headers = { 'If-None-Match': first.headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' }
    const again = await fetch(`${url}/sdk.js`, { headers })
    expect(again.status).to.equal(304)
    expect((await fetch(`${url}/sdk.js`, { method: 'HEAD' })).status).to.equal(200)
  })

  it('are kept for ever when their names have hashes, and followed by their successors', async () => {
    const present = await fetch(`${url}/sdk/${chunks.forms}`)
    expect(present.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable')
    const earlier = await fetch(`${url}/sdk/forms-00000000.js`)
    expect(earlier.headers.get('cache-control')).to.equal('public, max-age=300')
    expect(await earlier.text()).to.equal(await present.text())
    const badge = chunks.badge ?? ''
    for (const unknown of ['/sdk/nothing-00000000.js', '/sdk/sdk.js', '/sdk/manifest.json', `/sdk/../sdk/${badge}x`])
      expect((await fetch(url + unknown)).status).to.equal(404)
    expect((await fetch(`${url}/sdk.js`, { method: 'POST' })).status).to.equal(404)
  })

  it('are small, and have no name that a blocker refuses', async () => {
    expect(gzipSync(await readFile(path.join(BUILT, 'sdk.js')), { level: 9 }).length).to.be.at.most(3000)
    for (const name of [...Object.values(chunks), 'visits', 'nonce', 'submit', 'prefill', 'trade', 'init', 'next'])
      expect(name).not.to.match(/analytics|track|pixel|beacon|collect|event/i)
  })
})
