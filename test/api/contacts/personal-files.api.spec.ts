import { expect } from 'chai'
import { type Route, routesOf } from '../../../api/routes.ts'
import { jobs, resources } from '../../../domain/index.ts'
import { type ApiClient, ok } from '../../support/client.ts'
import { pathFor } from '../../support/operations.ts'
import { broadcastFields } from '../../support/records/emails.ts'
import { type Tenant, testService } from '../../support/service.ts'

const routes = routesOf(resources)

/** Jobs that make a file, with their operations. */
const files = jobs
  .filter((job) => 'file' in job)
  .map(({ resource }) => {
    const own = routes.filter((route) => route.resource.name === resource.name)
    const of = (method: string, kind: string) =>
      own.find(({ operation }) => operation.kind === kind && operation.method === method)!
    return { resource, create: of('POST', 'write'), list: of('GET', 'list'), show: of('GET', 'show') }
  })

const PERSON = { email_address: 'melisande.wray@unmistakable.example', first_name: 'Melisandrina' }
const shows = (body: unknown): boolean => Object.values(PERSON).some((value) => JSON.stringify(body).includes(value))

describe('files with personal data', () => {
  let tenant: Tenant
  before(async () => {
    const service = await testService()
    tenant = await service.tenant()
    ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, { contact: PERSON }))
  })

  const withOnly = (route: Route): Promise<ApiClient> => tenant.withScopes([`${route.category}:write`])
  const until = async (path: string) => {
    for (;;) {
      const { body } = await tenant.api.get(path)
      if (body.file_url) return body
      await new Promise((go) => setTimeout(go, 10))
    }
  }

  it('are those of contacts, members and bans', () => {
    expect(files.map(({ resource }) => resource.name).sort()).to.deep.equal([
      'communities/bans/export_action',
      'communities/memberships/export_action',
      'contacts/export_action',
    ])
  })

  for (const { resource, create, list, show } of files) {
    it(`are made and opened by keys that see personal data alone: ${resource.name}`, async () => {
      const sees = create.category === 'contacts'
      const api = await withOnly(create)
      const [path, body] = [
        await pathFor(tenant, create),
        { [resource.root]: { target_all: true, ...(sees && { fields: ['email_address'] }) } },
      ]
      const listed = async () => (await tenant.api.get(path)).body.length
      const before = list ? await listed() : 0
      const made = await api.post(path, body)
      if (sees) expect(made.status, JSON.stringify(made.body)).to.be.lessThan(300)
      else {
        expect([made.status, made.body.error]).to.deep.equal([
          403,
          'Forbidden: this token lacks the scope contacts:read',
        ])
        if (list) expect(await listed()).to.equal(before)
      }
      const other = await tenant.withScopes([`${create.category}:write`, 'contacts:read'])
      const { id } = ok(await other.post(path, body))
      const at = show.path.replace('{id}', String(id))
      const done = await until(at)
      expect(done.file_url).to.be.a('string')
      const shown = [
        ok(await api.get(at)),
        ok(await api.get(`${at}?as_of=${new Date(Date.now() + 1000).toISOString()}`)),
        ...(list ? ok(await api.get(path)) : []),
      ]
      for (const one of shown) {
        if (!sees) expect(one.file_url, JSON.stringify(one)).to.equal(null)
        expect(shows(one)).to.equal(false)
      }
      expect(ok(await other.get(at)).file_url).to.be.a('string')
    })
  }

  it('have their scope in the document', async () => {
    const document = JSON.parse(await (await fetch(`${(await testService()).url}/api/v2.json`)).text())
    for (const { create } of files) {
      const [security] = document.paths[`/api/v2${create.path}`].post.security
      expect(Object.values(security)[0]).to.deep.equal(
        create.category === 'contacts' ? ['contacts:write'] : [`${create.category}:write`, 'contacts:read'],
      )
    }
  })

  it('are not told by who gets a broadcast', async () => {
    const mailer = await tenant.withScopes(['emails:write'])
    const path = `/workspaces/${tenant.workspaceId}/emails/broadcasts`
    const asked = { emails_broadcast: await broadcastFields(tenant) }
    const { status, body: said } = await mailer.post(path, asked)
    expect([status, said.error]).to.deep.equal([403, 'Forbidden: this token lacks the scope contacts:read'])
    expect((await tenant.api.post(path, asked)).status).to.equal(201)
  })
})
