import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { expect } from 'chai'
import { startTestService, type TestService, testService } from '../../support/service.ts'

interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** Sends a request with any `Host` header. */
const get = async (url: string, headers: Readonly<Record<string, string>> = {}): Promise<Got> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { headers })
    asked.once('error', reject)
    asked.once('response', async (answer) => {
      const text = (await buffer(answer)).toString()
      resolve({ status: answer.statusCode!, headers: answer.headers, text })
    })
    asked.end()
  })

const STRANGERS = 40

describe('the OpenAPI document', () => {
  let service: TestService
  before(async () => {
    service = await testService()
  })

  it('is the same for any Host header, including its links', async () => {
    for (const form of ['json', 'yaml']) {
      const usual = await get(`${service.url}/api/v2.${form}`)
      const strange = await get(`${service.url}/api/v2.${form}`, { host: 'evil.example' })
      expect(strange.text === usual.text, form).to.equal(true)
      expect(strange.text).not.to.include('evil.example')
      expect(JSON.stringify(strange.headers)).not.to.include('evil.example')
    }
    const { servers } = JSON.parse((await get(`${service.url}/api/v2.json`)).text) as { servers: object[] }
    expect(servers).to.deep.equal([{ url: '/' }])
    const refused = await get(`${service.url}/api/v2/me`, { host: 'evil.example' })
    expect([refused.status, JSON.stringify(refused.headers).includes('evil.example')]).to.deep.equal([401, false])
  })

  it('is built once: an unknown host costs no more than a known one', async () => {
    const own = await startTestService()
    const cpuOf = async (hostOf: (number: number) => string): Promise<number> => {
      const before = process.cpuUsage()
      for (let number = 0; number < STRANGERS; number++)
        expect((await get(`${own.url}/api/v2.json`, { host: hostOf(number) })).status).to.equal(200)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000 / STRANGERS
    }
    await get(`${own.url}/api/v2.json`)
    const known = await cpuOf(() => 'known.example')
    const unknown = await cpuOf((number) => `host-${number}.example`)
    expect(unknown, `ms of CPU; ${known} for a known host`).to.be.lessThan(known * 3 + 10)
  })

  it('is not sent again to a client that has it', async () => {
    for (const path of ['/', '/api/v2', '/api/v2.json', '/api/v2.yaml']) {
      const { headers } = await get(service.url + path)
      const etag = headers.etag as string
      expect(etag, path).to.match(/^"[\w-]{43}"$/)
      expect(headers['cache-control']).to.equal('public, no-cache')
      const again = await get(service.url + path, { 'if-none-match': etag })
      expect([again.status, again.text, again.headers.etag], path).to.deep.equal([304, '', etag])
      expect((await get(service.url + path, { 'if-none-match': '"other"' })).status).to.equal(200)
    }
  })
})
