import { expect } from 'chai'
import { PASSWORD, withPassword } from '../../support/account.ts'
import { connect, issueToken, ownerOf } from '../../support/platform.ts'
import { testService } from '../../support/service.ts'

const FORM = '/account/password'

describe('applications of a person who changes the password', () => {
  it('16 13: stay connected unless the person ticks the box, which only somebody with connections is shown', async () => {
    const service = await testService()
    const tenant = await service.tenant()
    const { user_id: userId } = await ownerOf(tenant)
    const browser = await withPassword(service, { userId, address: '' })
    expect((await browser.get(FORM)).text).not.to.contain('name="disconnect"')
    const tokens = [await issueToken(tenant, await connect(tenant)), await issueToken(tenant, await connect(tenant))]
    expect((await browser.get(FORM)).text).to.contain('type="checkbox" name="disconnect"')
    const statuses = () => Promise.all(tokens.map(async (token) => (await service.client(token).get('/me')).status))
    const change = async (present: string, password: string, disconnect = '') =>
      (await browser.submit(FORM, FORM, { present, password, disconnect })).status
    expect(await change(PASSWORD, 'the second long password')).to.equal(303)
    expect(await statuses()).to.deep.equal([200, 200])
    expect(await change('wrong', 'the third long password', '1')).to.equal(422)
    expect(await statuses()).to.deep.equal([200, 200])
    expect(await change('the second long password', 'the third long password', '1')).to.equal(303)
    expect(await statuses()).to.deep.equal([401, 401])
    expect((await browser.get(FORM)).text).not.to.contain('name="disconnect"')
  })
})
