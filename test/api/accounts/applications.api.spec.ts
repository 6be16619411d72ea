import { expect } from 'chai'
import { type AccountBrowser, accountBrowser, linkOf, PASSWORD } from '../../support/account.ts'
import { fieldsIn } from '../../support/member.ts'
import { connect, issueToken, makeApplication, ownerOf } from '../../support/platform.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

const PATH = '/account/password'

describe('applications that act as a user', () => {
  let service: TestService
  let tenant: Tenant
  let browser: AccountBrowser

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    const { user_id: userId } = await ownerOf(tenant)
    browser = accountBrowser(service)
    await browser.enter(await linkOf(service, { userId, address: '' }))
    await browser.submit(PATH, PATH, { password: PASSWORD })
  })

  const works = async (token: string): Promise<boolean> => (await service.client(token).get('/me')).status === 200

  it('16 13: stay connected when the password is changed, unless the box is ticked', async () => {
    expect((await browser.get(PATH)).text).not.to.contain('name="applications"')
    const { id, name } = await makeApplication(tenant, { name: 'Book <keeper>' })
    const token = await issueToken(tenant, await connect(tenant, ['read', 'write'], Number(id)))
    const page = await browser.get(PATH)
    expect(name).to.equal('Book <keeper>')
    expect(page.text).to.contain('Also disconnect the applications that act as you: Book &lt;keeper&gt;')
    const change = { present: PASSWORD, password: PASSWORD }
    expect((await browser.submit(PATH, PATH, change)).status).to.equal(303)
    expect(await works(token)).to.equal(true)
    const wrong = { present: 'not the password', password: PASSWORD, applications: 'disconnect' }
    expect((await browser.submit(PATH, PATH, wrong)).status).to.equal(422)
    expect(await works(token)).to.equal(true)
    expect((await browser.submit(PATH, PATH, { ...change, applications: 'disconnect' })).status).to.equal(303)
    expect(await works(token)).to.equal(false)
    const { user_id: userId } = await ownerOf(tenant)
    const held = await service.background.stores.readModels.live.get('credentials', userId)
    expect(held?.disconnected).to.have.length(1)
  })

  it('16 13: stay connected when a link sets another password, unless the box is ticked', async () => {
    const { id } = await makeApplication(tenant)
    const token = await issueToken(tenant, await connect(tenant, ['read', 'write'], Number(id)))
    const { user_id: userId } = await ownerOf(tenant)
    const reset = async (fields: Record<string, string>) => {
      const link = await linkOf(service, { userId, address: '' }, 'reset')
      expect((await browser.enter(link, { password: PASSWORD, ...fields })).status).to.equal(303)
      return works(token)
    }
    expect(await reset({})).to.equal(true)
    expect(await reset({ applications: 'disconnect' })).to.equal(false)
  })

  it('are listed, and disconnected one by one', async () => {
    const [first, second] = [
      await makeApplication(tenant, { name: 'One' }),
      await makeApplication(tenant, { name: 'Two' }),
    ]
    const connections = [
      await connect(tenant, ['read'], Number(first.id)),
      await connect(tenant, ['read'], Number(second.id)),
    ]
    const tokens = [
      await issueToken(tenant, connections[0]!, { scopes: ['read'] }),
      await issueToken(tenant, connections[1]!, { scopes: ['read'] }),
    ]
    const action = '/account/security/applications/disconnect'
    const page = await browser.get('/account/security')
    expect(page.text).to.contain('<strong>One</strong>').and.contain('Disconnect Two')
    const fields = { ...fieldsIn(page.text, action), connection: String(connections[0]) }
    expect((await browser.post(action, fields)).status).to.equal(303)
    expect(await Promise.all(tokens.map(works))).to.deep.equal([false, true])
    // Those of others are not there.
    const other = await service.tenant()
    const theirs = await connect(other, ['read'])
    const token = await issueToken(other, theirs, { scopes: ['read'] })
    expect((await browser.post(action, { ...fields, connection: String(theirs) })).status).to.equal(303)
    expect((await browser.post(action, { ...fields, connection: 'x' })).status).to.equal(303)
    expect(await works(token)).to.equal(true)
    expect(await works(tokens[1]!)).to.equal(true)
  })
})
