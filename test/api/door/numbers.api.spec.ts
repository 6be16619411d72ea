import { expect } from 'chai'
import { startTestService } from '../../support/service.ts'

const TOKEN = 'a-token-for-the-scraper'

describe('the metrics for Prometheus', () => {
  const ask = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(`${url}/metrics`, { headers })
    return { status: answer.status, text: await answer.text() }
  }

  it('are open when only this machine reaches them, but not through a proxy on it', async () => {
    const { url } = await startTestService()
    expect((await ask(url)).status).to.equal(200)
    for (const header of ['x-forwarded-for', 'forwarded'])
      expect((await ask(url, { [header]: 'for=203.0.113.7' })).status, header).to.equal(403)
  })

  it('are closed when other machines reach them, and explain how to open them', async () => {
    for (const settings of [{ MILLRACE_HOST: '0.0.0.0' }, { MILLRACE_BEHIND_PROXY: '1' }]) {
      const { url } = await startTestService(settings)
      const refused = await ask(url)
      expect(refused.status).to.equal(403)
      expect(JSON.parse(refused.text).error).to.include('MILLRACE_METRICS_TOKEN')
      expect((await fetch(`${url}/health/ready`)).status, 'probes').to.equal(200)
    }
  })

  it('are served to clients with the token, on any address', async () => {
    for (const settings of [{}, { MILLRACE_HOST: '0.0.0.0' }]) {
      const { url } = await startTestService({ ...settings, MILLRACE_METRICS_TOKEN: TOKEN })
      expect((await ask(url)).status).to.equal(401)
      expect((await ask(url, { authorization: `Bearer ${TOKEN}x` })).status).to.equal(401)
      const given = await ask(url, { authorization: `Bearer ${TOKEN}` })
      expect(given.status).to.equal(200)
      expect(given.text).to.include('millrace_log_position')
    }
  })

  it('do not let the token be guessed without end', async () => {
    const { url } = await startTestService({ MILLRACE_METRICS_TOKEN: TOKEN, MILLRACE_FAILED_ATTEMPTS: '2' })
    const statuses = []
    for (let number = 0; number < 4; number++)
      statuses.push((await ask(url, { authorization: `Bearer ${number}` })).status)
    expect(statuses).to.deep.equal([401, 401, 429, 429])
  })
})
