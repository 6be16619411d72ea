import { expect } from 'chai'
import { type AccountBrowser, accountBrowser, newPerson, PASSWORD, withPassword } from '../../support/account.ts'
import { type ApiClient, ok } from '../../support/client.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

const person = { first_name: 'Mara', last_name: 'Member', password: PASSWORD }
let people = 0

describe('the page of a team', () => {
  let service: TestService
  let tenant: Tenant
  let ofTeam: ApiClient
  let page: string
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    ofTeam = await tenant.withScopes(['account:write'], 'team')
    page = `/account/teams/${tenant.teamId}`
  })

  /** Invites a person, who accepts. */
  const joined = async (role: 'admin' | 'member') => {
    const email = `Joined${++people}.${process.pid}@Example.com`
    const { path } = await service.background.users.invite({ email, role, teamId: tenant.teamId })
    const browser = accountBrowser(service)
    expect((await browser.post(path, person)).status).to.equal(303)
    const all = ok(await ofTeam.get(`/teams/${tenant.teamId}/memberships`)) as {
      id: number
      user_id: number
      user_email: string
    }[]
    return { browser, email, ...all.find((one) => one.user_email === email)! }
  }
  const submit = (browser: AccountBrowser, action: string, fields = {}, on = page) => browser.submit(on, action, fields)
  const invitations = async () =>
    ok(await ofTeam.get(`/teams/${tenant.teamId}/invitations`)) as { id: number; email: string; status: string }[]
  const roleOf = async (id: number) =>
    (ok(await ofTeam.get(`/teams/${tenant.teamId}/memberships`)) as { id: number; role_ids: string[] }[]).find(
      (one) => one.id === id,
    )?.role_ids

  it('is that of its members alone', async () => {
    const { browser, email } = await joined('member')
    const shown = await browser.get(page)
    expect(shown.text).to.contain('Mara Member').and.contain(email).and.not.contain('millrace.invalid')
    expect((await browser.get('/account')).text).to.contain(`href="${page}"`)
    const stranger = await withPassword(service, await newPerson(service))
    expect((await stranger.get(page)).status).to.equal(404)
    expect((await accountBrowser(service).get(page)).headers.location).to.contain('/sign-in')
  })

  it('lets admins invite, renew and withdraw', async () => {
    const { browser, user_id } = await joined('admin')
    const email = `Invited${++people}.${process.pid}@Example.com`
    expect((await submit(browser, `${page}/invite`, { email, role: 'admin' })).headers.location).to.equal(page)
    const made = (await invitations()).find((one) => one.email === email)!
    expect(ok(await ofTeam.get(`/invitations/${made.id}`))).to.include({ status: 'open', invited_by_id: user_id })
    const again = await submit(browser, `${page}/invite`, { email: email.toLowerCase(), role: 'member' })
    expect([again.status, again.text.includes('Email is already invited.')]).to.deep.equal([422, true])
    expect((await submit(browser, `${page}/invite`, { email: 'nobody', role: 'member' })).status).to.equal(422)
    expect((await browser.get(page)).text).to.contain(`millrace users invite ADDRESS --team ${tenant.teamId}`)
    expect((await submit(browser, `${page}/invitations/${made.id}/renew`)).status).to.equal(303)
    expect((await submit(browser, `${page}/invitations/${made.id}/withdraw`)).status).to.equal(303)
    expect((await invitations()).find(({ id }) => id === made.id)?.status).to.equal('withdrawn')
    expect((await browser.get(page)).text).to.not.contain(email)
  })

  it('lets admins change roles', async () => {
    const { browser } = await joined('admin')
    const other = await joined('member')
    expect((await submit(browser, `${page}/members/${other.id}/roles`, { role: 'admin' })).status).to.equal(303)
    expect(await roleOf(other.id)).to.deep.equal(['admin'])
  })

  it('lets other members neither invite nor change or remove anybody, whatever they send', async () => {
    const member = await joined('member')
    const other = await joined('member')
    const { text } = await member.browser.get(page)
    expect(text).to.not.contain(`${page}/invite`).and.not.contain('/roles')
    const token = { form_token: /name="form_token" value="([^"]+)"/.exec(text)![1]! }
    const asked: readonly (readonly [string, Record<string, string>, number])[] = [
      ['/invite', { email: 'x@example.com', role: 'admin' }, 409],
      [`/members/${member.id}/roles`, { role: 'admin' }, 409],
      [`/members/${other.id}/remove`, {}, 404],
      ['/keys', { label: 'x', scopes: 'read', workspace: 'all' }, 404],
    ]
    for (const [path, fields, status] of asked)
      expect((await member.browser.post(page + path, { ...fields, ...token })).status, path).to.equal(status)
    expect((await invitations()).some(({ email }) => email === 'x@example.com')).to.equal(false)
    expect([await roleOf(member.id), await roleOf(other.id)]).to.deep.equal([['member'], ['member']])
  })

  it('takes no form without its token, or from another site', async () => {
    const { browser, id } = await joined('admin')
    const target = await joined('member')
    const { text } = await browser.get(page)
    const token = { form_token: /name="form_token" value="([^"]+)"/.exec(text)![1]! }
    for (const path of [`/members/${target.id}/remove`, `/members/${target.id}/roles`, '/invite', '/keys']) {
      const fields = { role: 'admin', email: 'y@example.com', label: 'x', scopes: 'read', workspace: 'all' }
      expect((await browser.post(page + path, fields)).status, path).to.equal(403)
      const foreign = { 'sec-fetch-site': 'same-site' }
      expect((await browser.post(page + path, { ...fields, ...token }, foreign)).status, path).to.equal(403)
    }
    expect([await roleOf(target.id), await roleOf(id)]).to.deep.equal([['member'], ['admin']])
  })

  it('16 26: removing a member lists the keys that the person made; they go on working until they are revoked', async () => {
    const admin = await joined('admin')
    const leaving = await joined('admin')
    const keys = `${page}/keys`
    const fields = { label: 'For the shop', scopes: 'read, contacts:read', workspace: String(tenant.workspaceId) }
    const made = await submit(leaving.browser, keys, fields, keys)
    const token = /<code>(mr_[\w-]+)<\/code>/.exec(made.text)?.[1] ?? ''
    expect(ok(await service.client(token).get('/me')).connected_workspace.workspace_id).to.equal(tenant.workspaceId)
    expect((await leaving.browser.get(keys)).text).to.not.contain(token)
    const confirming = await admin.browser.get(`${page}/members/${leaving.id}/remove`)
    expect(confirming.text).to.contain('For the shop').and.contain('go on working')
    const removed = await submit(
      admin.browser,
      `${page}/members/${leaving.id}/remove`,
      {},
      `${page}/members/${leaving.id}/remove`,
    )
    expect(removed.text).to.contain('is no longer in').and.contain('For the shop')
    expect((await leaving.browser.get(page)).status, 'the page of the team').to.equal(404)
    expect((await leaving.browser.get(keys)).status).to.equal(404)
    expect((await service.client(token).get('/me')).status).to.equal(200)
    const { text } = await admin.browser.get(keys)
    const revoke = [...text.matchAll(/<strong>(mr_[\w-]+)…<\/strong> For the shop[\s\S]*?action="([^"]+)"/g)][0]?.[2]
    expect((await submit(admin.browser, revoke ?? '', {}, keys)).status).to.equal(303)
    expect((await service.client(token).get('/me')).status).to.equal(401)
  })

  it('says what is wrong with a key that is wanted, and makes none', async () => {
    const { browser } = await joined('admin')
    const keys = `${page}/keys`
    for (const [fields, said] of [
      [{ label: '', scopes: 'read', workspace: 'all' }, 'Please enter a label'],
      [{ label: 'x', scopes: 'read everything', workspace: 'all' }, '“everything” is no scope'],
      [{ label: 'x', scopes: ' ', workspace: 'all' }, 'at least one scope'],
    ] as const) {
      const { status, text } = await submit(browser, keys, fields, keys)
      expect([status, text.includes(said)], said).to.deep.equal([422, true])
    }
    const other = await service.tenant()
    const foreign = { label: 'Foreign', scopes: 'read', workspace: String(other.workspaceId) }
    expect((await submit(browser, keys, foreign, keys)).text).to.not.contain('<code>')
    const foreignKey = await service.background.accounts.keys(other.teamId)
    const { text } = await browser.get(keys)
    const token = { form_token: /name="form_token" value="([^"]+)"/.exec(text)![1]! }
    expect((await browser.post(`${keys}/${foreignKey[0]!.id}/revoke`, token)).status).to.equal(404)
    expect((await other.api.get('/me')).status).to.equal(200)
  })

  it('lets a member leave, but not the last admin', async () => {
    const member = await joined('member')
    const leave = `${page}/members/${member.id}/remove`
    expect((await member.browser.get(page)).text).to.contain('>Leave</a>')
    const left = await submit(member.browser, leave, {}, leave)
    expect([left.status, left.headers.location]).to.deep.equal([303, '/account'])
    expect(await roleOf(member.id)).to.equal(undefined)
    const alone = await newPerson(service)
    const browser = await withPassword(service, alone)
    const own = /href="(\/account\/teams\/\d+)"/.exec((await browser.get('/account')).text)![1]!
    const path = /href="([^"]+\/remove)"/.exec((await browser.get(own)).text)![1]!
    const refused = await submit(browser, path, {}, path)
    expect(refused.status).to.equal(422)
    expect(refused.text).to.contain('A team needs at least one admin.')
    expect((await browser.get(own)).status).to.equal(200)
  })
})
