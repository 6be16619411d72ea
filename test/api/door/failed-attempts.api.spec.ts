import { expect } from 'chai'
import { countedAs } from '../../../api/http/failed-attempts.ts'
import { startTestService, type TestService } from '../../support/service.ts'

const LIMIT = 5

describe('attempts to authenticate that fail', () => {
  const start = (settings: Readonly<Record<string, string>> = {}) =>
    startTestService({ MILLRACE_FAILED_ATTEMPTS: String(LIMIT), ...settings })
  const me = (service: TestService, token: string | undefined, from?: string) =>
    fetch(`${service.url}/api/v2/me`, {
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...(from && { 'x-forwarded-for': from }) },
    })
  const guess = async (service: TestService, times: number, from?: string): Promise<number[]> => {
    const statuses: number[] = []
    for (let number = 0; number < times; number++)
      statuses.push((await me(service, number % 2 === 0 ? `mr_guess${number}` : undefined, from)).status)
    return statuses
  }

  it('are limited by address, while known good tokens still work', async () => {
    const service = await start()
    const tenant = await service.tenant()
    expect((await me(service, tenant.token)).status).to.equal(200)
    expect(await guess(service, LIMIT + 2)).to.deep.equal([401, 401, 401, 401, 401, 429, 429])
    const refused = await me(service, 'mr_another')
    expect(refused.status).to.equal(429)
    expect(await refused.json()).to.include({
      error: 'Too many requests: too many requests without a valid token came from this address',
    })
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60)
    expect(refused.headers.get('ratelimit-limit')).to.equal(String(LIMIT))
    expect(refused.headers.get('ratelimit-remaining')).to.equal('0')
    expect((await me(service, tenant.token)).status, 'a token that was good before').to.equal(200)
    const { accounts } = service.background
    const key = { teamId: tenant.teamId, workspaceId: null, scopes: ['read'], label: 'new' }
    const { token } = await accounts.issueKey(key)
    expect((await me(service, token)).status, 'no guess is looked for, not even a right one').to.equal(429)
  })

  it('count a token that was revoked', async () => {
    const service = await start()
    const { token, teamId } = await service.tenant()
    expect((await me(service, token)).status).to.equal(200)
    const { accounts } = service.background
    for (const { id } of await accounts.keys(teamId)) await accounts.revokeKey(id)
    const statuses: number[] = []
    for (let number = 0; number < LIMIT + 1; number++) statuses.push((await me(service, token)).status)
    expect(statuses).to.deep.equal([401, 401, 401, 401, 401, 429])
  })

  it('count for the address that the proxy reports, if there is one', async () => {
    const service = await start({ MILLRACE_BEHIND_PROXY: '1' })
    const { token } = await service.tenant()
    expect((await guess(service, LIMIT + 1, '203.0.113.7')).at(-1)).to.equal(429)
    expect((await me(service, 'mr_x', '203.0.113.8')).status, 'somebody else').to.equal(401)
    expect((await me(service, token, '203.0.113.9')).status).to.equal(200)
    const lied = await me(service, 'mr_x', '198.51.100.1, 203.0.113.7')
    expect(lied.status, 'what the client says itself comes before what the proxy adds').to.equal(429)
  })

  it('count for the address of the connection when no proxy is trusted', async () => {
    const service = await start()
    for (let number = 0; number < LIMIT; number++) await guess(service, 1, `203.0.113.${number}`)
    expect((await me(service, 'mr_x', '203.0.113.99')).status).to.equal(429)
  })

  it('are counted for a network of IPv6, however an address is spelled', () => {
    for (const [address, counted] of [
      ['203.0.113.7', '203.0.113.7'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['203.0.113.7:51234', '203.0.113.7'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
      ['[2001:db8:1:2::9]:443', '2001:db8:1:2::'],
      ['unknown', 'unknown'],
    ] as const)
      expect(countedAs(address), address).to.equal(counted)
    expect(countedAs('x'.repeat(10_000))).to.have.length(64)
  })
})
