import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { accountBrowser } from '../support/account.ts'
import { hostMillrace } from '../support/millrace.ts'

describe('the link of the first owner', function () {
  this.timeout(120_000)
  const log: string[] = []
  let data: string

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-sign-in-'))
  })
  after(() => rm(data, { recursive: true, force: true }))

  /** Starts the service, uses what it prints, and stops it. */
  const started = async <T>(use: (link: string | null, url: string) => Promise<T>, settings = {}): Promise<T> => {
    const service = await hostMillrace(data, settings, log)
    try {
      return await use(service.ready.sign_in, service.ready.origin)
    } finally {
      await service.stop()
    }
  }

  it('16 15: is printed by each start until somebody has signed in, and ends the one before', async () => {
    const first = await started(async (link, url) => {
      expect(link).to.match(new RegExp(`^http://localhost:${new URL(url).port}/in/[\\w-]+$`))
      return link!
    })
    await started(async (link, url) => {
      const browser = accountBrowser({ url })
      await browser.get(new URL(first).pathname)
      expect((await browser.get('/in')).status).to.equal(410)
      expect((await browser.enter(link!)).status).to.equal(303)
      expect((await browser.get('/account')).text).to.contain('Signed in as owner@example.com')
    })
    await started(async (link) => expect(link).to.equal(null))
    expect(log.join('')).to.not.contain('without TLS')
  })

  it('16 9: a start warns of passwords that others in the network can read', async () => {
    await started(async () => undefined, { MILLRACE_API_URL: 'http://shop.local:4000' })
    expect(log.join('')).to.contain('people sign in without TLS').and.contain('http://shop.local:4000')
  })
})
