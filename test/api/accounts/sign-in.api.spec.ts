import { expect } from 'chai'
import { accountBrowser, linkOf, newPerson, PASSWORD, type Person, withPassword } from '../../support/account.ts'
import { startTestService, type TestService, testService } from '../../support/service.ts'

const WRONG = 'The address or the password is not right.'

describe('signing in by a password', () => {
  let service: TestService
  let limited: TestService

  before(async () => {
    service = await testService()
    limited = await startTestService({ MILLRACE_FAILED_ATTEMPTS: '60', MILLRACE_BEHIND_PROXY: '1' })
  })

  const from = (ip: string) => ({ 'x-forwarded-for': ip })
  const signIn = (address: string, password: string, ip: string) =>
    accountBrowser(limited).post('/sign-in', { address, password }, from(ip))
  const failed = async (address: string, ip: string, times: number) => {
    const statuses = new Set<number>()
    for (let time = 0; time < times; time++) statuses.add((await signIn(address, 'wrong password', ip)).status)
    return [...statuses]
  }

  it('signs in with the right password, and shows teams and workspaces', async () => {
    const tenant = await service.tenant()
    const { live } = service.background.stores.readModels
    const workspace = await live.get('workspace', tenant.workspaceId)
    const person: Person = { address: `${workspace?.name}@example.com`, userId: 0 }
    const found = await newPerson(service, person.address)
    await withPassword(service, found)
    const browser = accountBrowser(service)
    expect((await browser.signIn(person.address, PASSWORD)).status).to.equal(303)
    const { text } = await browser.get('/account')
    expect(text).to.contain(String(workspace?.name)).and.contain(`Workspace ${tenant.workspaceId}`)
    expect(text).to.contain(`Signed in as ${person.address}`)
  })

  it('16 4: an unknown address, a wrong password and an account without a password answer the same', async () => {
    const [one, other] = [await newPerson(service), await newPerson(service)]
    await withPassword(service, one)
    const answers = await Promise.all(
      [one.address, other.address, 'nobody@example.com'].map(async (address) => {
        const { status, text, headers } = await accountBrowser(service).signIn(address, 'wrong password')
        const { 'x-request-id': _, date: __, 'content-length': ___, ...same } = headers
        // The challenge for passkeys is another one on each page.
        const shown = text.replaceAll(address, '').replace(/challenge&quot;:&quot;[\w-]+/, '')
        return JSON.stringify([status, shown, same])
      }),
    )
    expect(new Set(answers).size).to.equal(1)
    expect(answers[0]).to.contain(WRONG)
  })

  it('16 6: a password has at most 1,024 bytes, and a form at most 16 kB', async () => {
    const { address } = await newPerson(service)
    const longest = await accountBrowser(service).signIn(address, 'x'.repeat(1024))
    expect(longest.text).to.contain(WRONG)
    const { status, text } = await accountBrowser(service).signIn(address, 'x'.repeat(1025))
    expect(status).to.equal(422)
    expect(text).to.contain('at most 1024 bytes')
    expect((await accountBrowser(service).signIn(address, 'x'.repeat(20_000))).status).to.equal(413)
  })

  it('16 6: passwords that differ in their last character alone are different', async () => {
    for (const [password, other] of [
      ['x'.repeat(99), 'y'],
      ['🐎'.repeat(20), '🐖'],
    ].map(([many, last]) => [`${many}${many?.slice(-2)}`, `${many}${last}`])) {
      const person = await newPerson(service)
      const browser = accountBrowser(service)
      await browser.enter(await linkOf(service, person))
      await browser.submit('/account/password', '/account/password', { password: password! })
      expect((await accountBrowser(service).signIn(person.address, other!)).status).to.equal(422)
      expect((await accountBrowser(service).signIn(person.address, password!)).status).to.equal(303)
    }
  })

  it('16 7: failures from one address lock nobody out elsewhere, and no link', async () => {
    const person = await newPerson(limited)
    await withPassword(limited, person)
    expect(await failed(person.address, '203.0.113.1', 1000)).to.deep.equal([422, 429])
    const { status, headers, text } = await signIn(person.address, PASSWORD, '203.0.113.1')
    expect(status).to.equal(429)
    expect(Number(headers['retry-after'])).to.be.within(1, 900)
    expect(text).to.contain('Please wait')
    expect((await signIn(person.address, PASSWORD, '203.0.113.2')).status).to.equal(303)
    const browser = accountBrowser(limited)
    await browser.get(new URL(await linkOf(limited, person)).pathname, from('203.0.113.1'))
    expect((await browser.submit('/in', '/in')).status).to.equal(303)
  })

  it('16 7: a browser that has signed in before is exempt, until it fails itself', async () => {
    const person = await newPerson(limited)
    const known = await withPassword(limited, person)
    await known.submit('/account', '/sign-out')
    await failed(person.address, '203.0.113.3', 12)
    const again = (password: string) =>
      known.post('/sign-in', { address: person.address, password }, from('203.0.113.3'))
    expect((await again(PASSWORD)).status).to.equal(303)
    known.cookies.delete('mr_session')
    // Signing in gives the browser another name.
    for (let time = 0; time < 10; time++) expect((await again('wrong password')).status).to.equal(422)
    expect((await again(PASSWORD)).status).to.equal(429)
  })

  it('16 25: an address is one account whatever its case', async () => {
    const person = await newPerson(service, 'Owner.In.Capitals@Example.COM')
    await withPassword(service, person)
    const browser = accountBrowser(service)
    expect((await browser.signIn('owner.in.capitals@EXAMPLE.com', PASSWORD)).status).to.equal(303)
    expect((await browser.get('/account')).text).to.contain(person.address)
    const same = await newPerson(service, 'OWNER.in.capitals@example.com')
    expect(same.userId).to.equal(person.userId)
    expect((await browser.get('/account')).text.match(/<h3><a href="[^"]+">Team/g)).to.have.length(2)
  })

  it('16 25: of teams founded at once with one address, all have the same owner', async () => {
    const addresses = ['at.once@example.com', 'At.Once@example.com', 'AT.ONCE@example.com']
    const people = await Promise.all(addresses.map((address) => newPerson(service, address)))
    expect(new Set(people.map(({ userId }) => userId)).size).to.equal(1)
    const users = await service.background.stores.readModels.live.find('user', { where: { mailbox: addresses[0]! } })
    expect(users).to.have.length(1)
  })
})

describe('the address from which somebody signs in', () => {
  const tries = async (service: TestService, ips: readonly string[]) => {
    const { address } = await newPerson(service)
    const statuses: number[] = []
    for (const ip of ips) {
      const fields = { address, password: 'wrong password' }
      statuses.push((await accountBrowser(service).post('/sign-in', fields, { 'x-forwarded-for': ip })).status)
    }
    return statuses
  }
  const many = Array.from({ length: 50 }, (_, at) => `198.51.100.${at}`)

  it('16 8: is that of the connection: fifty forged ones are one', async () => {
    const statuses = await tries(await startTestService({ MILLRACE_FAILED_ATTEMPTS: '60' }), many)
    expect(statuses.filter((status) => status === 422)).to.have.length(10)
    expect(statuses.filter((status) => status === 429)).to.have.length(40)
  })

  it('16 8: behind a trusted proxy it is the last that the proxy names', async () => {
    const service = await startTestService({ MILLRACE_FAILED_ATTEMPTS: '60', MILLRACE_BEHIND_PROXY: '1' })
    expect(await tries(service, many.slice(0, 15))).to.deep.equal(Array(15).fill(422))
    const forged = many.slice(0, 15).map((ip) => `${ip}, 203.0.113.9`)
    expect(await tries(service, forged)).to.deep.equal([...Array(10).fill(422), ...Array(5).fill(429)])
  })
})
