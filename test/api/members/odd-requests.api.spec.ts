import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { coursesOf } from '../../support/courses.ts'
import { askHost } from '../../support/hosts.ts'
import { hostOf, signedIn } from '../../support/member.ts'
import { testService } from '../../support/service.ts'

const BIG = '9'.repeat(15)

describe('the members’ side and odd requests', () => {
  it('15 93: leads to no other host, whatever path a token names that nobody has signed', async () => {
    const service = await testService()
    const tenant = await service.tenant()
    const host = await hostOf(tenant)
    for (const path of ['//evil.example/', '/\\evil.example/', 'https://evil.example/', 'javascript:alert(1)']) {
      const token = Buffer.concat([Buffer.alloc(24), Buffer.from([1, 1, 1]), Buffer.from(path)]).toString('base64url')
      const { status, headers } = await askHost(service.publicUrl, host, `/members/read/${token}`)
      expect([status, headers.location, headers['set-cookie']], path).to.deep.equal([404, undefined, undefined])
    }
  })

  it('looks at where a form comes from before it asks a stranger to sign in', async () => {
    const service = await testService()
    const host = await hostOf(await service.tenant())
    const post = (more: Record<string, string>) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', ...more }
      return askHost(service.publicUrl, host, '/members/mail', { method: 'POST', headers, body: 'mail=1' })
    }
    expect((await post({ 'sec-fetch-site': 'cross-site' })).status).to.equal(403)
    expect((await post({ 'content-type': 'text/plain' })).status).to.equal(403)
    const own = await post({ 'sec-fetch-site': 'same-origin' })
    expect([own.status, own.headers.location]).to.deep.equal([303, '/members/sign-in?to=%2Fmembers%2Fmail'])
  })

  it('answers each with a page or a redirect, and never with a failure', async () => {
    const service = await testService()
    const tenant = await service.tenant()
    const make = coursesOf(tenant)
    const { id, sections } = await make.taught(1)
    const email_address = 'odd@far.example'
    const contact = ok(
      await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, { contact: { email_address } }),
    )
    ok(await make.enroll(id, contact.id))
    await service.caughtUp()
    const host = await hostOf(tenant)
    const member = await signedIn(service, tenant, email_address)
    const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const lesson = `/members/lessons/${sections[0]!.lessons[0]}`
    const form_token = /name="form_token" value="([^"]+)"/.exec((await member.get('/members')).text)![1]!
    const paths = [
      ...['courses', 'lessons', 'orders'].flatMap((kind) =>
        ['0', '-1', '1.5', BIG, `${BIG}9`, '%00', '%ff', '..%2f', "'", '😀'].map(
          (one) => `/members/${kind}/${encodeURI(one)}`,
        ),
      ),
      ...[
        '/members/',
        '/members//',
        '/members/%',
        '/members?%',
        '/members/sign-in?to=%ff&to=%00',
        '/members/mail?saved=1',
      ],
      ...['/members/in/x', '/members/read/x', `/members/in/${'a'.repeat(3000)}`, '/members/in'],
      ...[`/members/orders/${BIG}/cancel`, `/members/orders/1/downloads/${BIG}`, lesson, `${lesson}/complete`],
    ]
    const cookies = [
      cookie,
      cookie.replace(/.$/, '*'),
      'mr_member=',
      'mr_member=1.x; mr_member=2.y',
      `mr_member=${BIG}.${'a'.repeat(43)}`,
      `mr_entry=${'a'.repeat(64)}; mr_reading=${'%'.repeat(100)}`,
      '=; ;;;',
    ]
    const failures: string[] = []
    const ask = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
      const { status } = await askHost(service.publicUrl, host, path, {
        method,
        headers,
        ...(body !== undefined && { body }),
      })
      if (status >= 500) failures.push(`${method} ${path} ${JSON.stringify(headers)}: ${status}`)
    }
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const path of paths)
      for (const one of cookies) {
        await ask('GET', path, { cookie: one })
        await ask('POST', path, { cookie: one, ...type }, `form_token=${form_token}&to=%00&address=%ff%00`)
      }
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) await ask(method, lesson, { cookie })
    for (const named of [`${host}:99999`, `${host}.`, `${host.toUpperCase()}:1`])
      await ask('GET', lesson, { cookie, host: named })
    for (const sent of ['application/json', 'multipart/form-data; boundary=x', ''])
      await ask('POST', `${lesson}/complete`, { cookie, 'content-type': sent }, '{}')
    expect(failures).to.deep.equal([])
  })
})
