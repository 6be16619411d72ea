import { expect } from 'chai'
import { fieldsOfText, isUtf8Escaped } from '../../../api/http/utf8.ts'
import { ok } from '../../support/client.ts'
import { askHost } from '../../support/hosts.ts'
import { hostOf } from '../../support/member.ts'
import { callOf, type SdkPage, sdkFunnel } from '../../support/sdk-pages.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

/** `José` of a form in windows-1252, and `日` of one in Shift_JIS. */
const FOREIGN = ['Jos%E9', '%93%FA'] as const

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('texts in another encoding than UTF-8', () => {
  let service: TestService
  let tenant: Tenant
  let page: SdkPage

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    const [first] = (await sdkFunnel(tenant, ['https://forms.example/a', 'https://forms.example/b'])).pages
    page = first!
  })

  const contacts = async () => {
    await service.caughtUp()
    return ok(await tenant.api.get(`/workspaces/${tenant.workspaceId}/contacts`)) as unknown as readonly object[]
  }

  it('are told from UTF-8 after they are unescaped; percent signs that begin no escape are left', () => {
    for (const text of [...FOREIGN, '%C3', '%ED%A0%80', 'a=%FF&b=1']) expect(isUtf8Escaped(text), text).to.equal(false)
    for (const text of ['', 'a+b', '100%', '5%zz', 'Jos%C3%A9', '%EF%BF%BD', 'é%20%F0%9F%98%80', '%'])
      expect(isUtf8Escaped(text), text).to.equal(true)
    expect(fieldsOfText('n=100%&m=Jos%C3%A9').get('m')).to.equal('José')
  })

  it('are refused where the SDK sends a form, and nothing is stored', async () => {
    const call = callOf(service)
    for (const name of FOREIGN) {
      const { nonce } = (await call('/nonce', page, {})).body
      const data = encodeURIComponent(
        JSON.stringify([
          ['email', 'jose@example.com'],
          ['name', 'NAME'],
        ]),
      )
      const sent = new URLSearchParams({ token: page.token, url: page.url, nonce })
      const body = `${sent}&data=${data.replace('NAME', name)}`
      const headers = { ...FORM, origin: page.origin }
      const { status } = await fetch(`${service.sdkUrl}/submit`, { method: 'POST', redirect: 'manual', headers, body })
      expect(status, name).to.equal(400)
    }
    expect(await contacts()).to.deep.equal([])
  })

  it('are refused in queries and at every other form', async () => {
    const host = await hostOf(tenant)
    const ids = `/api/v2/workspaces/${tenant.workspaceId}/contacts`
    for (const text of FOREIGN) {
      const listed = await tenant.api.get(`${ids.slice('/api/v2'.length)}?filter[email_address]=${text}`)
      expect([listed.status, listed.body.error], text).to.deep.equal([
        400,
        'Bad request: a form or a query must be in UTF-8',
      ])
      const begun = await fetch(`${service.sdkUrl}/init?sdk_page_token=${page.token}&url=${text}`, {
        headers: { origin: page.origin },
      })
      expect(begun.status, text).to.equal(400)
      const asMember = await askHost(service.publicUrl, host, '/members/sign-in', {
        method: 'POST',
        headers: FORM,
        body: `address=${text}@example.com`,
      })
      expect(asMember.status, text).to.equal(400)
      const asUser = await fetch(`http://localhost:${new URL(service.url).port}/sign-in`, {
        method: 'POST',
        headers: FORM,
        body: `email=${text}@example.com`,
        redirect: 'manual',
      })
      expect(asUser.status, text).to.equal(400)
      const token = await fetch(`${service.url}/oauth/token`, {
        method: 'POST',
        headers: FORM,
        body: `grant_type=authorization_code&code=${text}`,
      })
      expect([token.status, ((await token.json()) as { error: string }).error], text).to.deep.equal([
        400,
        'invalid_request',
      ])
    }
  })
})
