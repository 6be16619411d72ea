import { expect } from 'chai'
import { type Route, routesOf } from '../../../api/routes.ts'
import { STANDARD_KINDS } from '../../../domain/emails/owed/kinds.ts'
import { delivery, mailing } from '../../../domain/emails/public.ts'
import { resources } from '../../../domain/index.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import { getOrInsert } from '../../../domain/kernel/values/get-or-insert.ts'
import type { MaybePromise } from '../../../domain/kernel/values/maybe-promise.ts'
import { readKept } from '../../../infra/mail/files.ts'
import { otherMails } from '../../support/every-mail.ts'
import { connect, throughProxy } from '../../support/public-names.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'
import { variedTraffic } from '../../support/traffic/traffic.ts'

const OF_A_MACHINE = /[\w-]+\.localhost\b/g
/** Records of a kind whose answers are read: the first and the last ones. */
const SOME = 2

const FIXED = ['/', '/robots.txt', '/sitemap.xml', '/sitemap-1.xml', '/nowhere', '/blog/feed', '/members/sign-in']
const ADDRESSED = ['page', 'funnel', 'blog', 'blogs/post', 'blogs/author', 'blogs/tag', 'blogs/category']

/** Operations on the domains themselves: that with which a workspace began is among them, by its name. */
const isOfDomains = ({ resource }: Route): boolean => resource.name === 'domain'

/** Everything that a service says of workspaces with one public name each, after all kinds of traffic. */
describe('every address of a workspace behind a proxy', function () {
  this.timeout(240_000)
  let service: TestService
  const tenants: { readonly tenant: Tenant; readonly name: string }[] = []
  const found: string[] = []
  before(async () => {
    const begun = await startTestService({
      MILLRACE_BEHIND_PROXY: '1',
      MILLRACE_MCP_URL: 'https://agents.millrace.example',
    })
    const tenant: TestService['tenant'] = async (options) => {
      const made = await begun.tenant(options)
      const name = `shop-${made.workspaceId}.example.org`
      await connect(made, name)
      tenants.push({ tenant: made, name })
      return made
    }
    service = { ...begun, tenant }
    await variedTraffic(service)
    await otherMails(service)
  })
  beforeEach(() => void found.splice(0))

  /** Notes names of the machine in what was said. */
  const look = (where: string, ...said: readonly unknown[]): void => {
    const names = new Set(JSON.stringify(said).match(OF_A_MACHINE))
    if (names.size > 0) found.push(`${where}: ${[...names].join(', ')}`)
  }

  const read = new Map<string, MaybePromise<readonly Document[]>>()
  /** Nothing happens any more when the tests begin. */
  const allOf = (collection: string): MaybePromise<readonly Document[]> =>
    getOrInsert(read, collection, () =>
      service.background.stores.readModels.live.find(collection, { where: {}, limit: 10_000 }),
    )

  const idsOf = async (collection: string, workspaceId: number): Promise<readonly number[]> => {
    const own = (await allOf(collection)).filter((one) => one.workspace_id === workspaceId)
    const ids = own.map(({ id }) => Number(id))
    return ids.length <= 2 * SOME ? ids : [...ids.slice(0, SOME), ...ids.slice(-SOME)]
  }

  /** Returns the paths of an operation that reads, for records of a workspace, with every part that can be expanded. */
  const pathsOf = async ({ path, resource, operation }: Route, workspaceId: number): Promise<readonly string[]> => {
    const params = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
    const hasParts = operation.kind === 'list' || operation.kind === 'show'
    const parts = hasParts ? Object.keys(resource.view.expands ?? {}) : []
    const query = parts.length === 0 ? '' : `?${parts.map((part) => `expand[]=${part}`).join('&')}`
    if (params.length !== 1) return params.length === 0 ? [path + query] : []
    const of = params[0] === resource.under.param ? resource.under.resource : resource.name
    const ids = of === 'workspace' ? [workspaceId] : await idsOf(of, workspaceId)
    return ids.map((id) => path.replace(/\{.*\}/, String(id)) + query)
  }

  it('is public in all answers of the API, with all their headers', async () => {
    const reading = routesOf(resources).filter((one) => one.method === 'GET' && !isOfDomains(one))
    let answered = 0
    for (const { tenant } of tenants) {
      const api = await tenant.withScopes(['read', 'write'], 'team')
      for (const route of reading)
        for (const path of await pathsOf(route, tenant.workspaceId)) {
          const { status, body, headers } = await api.get(path)
          if (status === 200) answered += 1
          look(`${route.operationId} ${path}`, body, [...headers])
        }
    }
    expect(found).to.deep.equal([])
    expect(answered).to.be.greaterThan(1000)
  })

  it('is public on all pages, in feeds, maps and headers', async () => {
    const addressed = (await Promise.all(ADDRESSED.map(allOf))).flat()
    let shown = 0
    for (const { tenant, name } of tenants) {
      const own = addressed.filter((one) => one.workspace_id === tenant.workspaceId)
      const paths = own.map(({ current_path }) => String(current_path ?? '/'))
      for (const path of new Set([...FIXED, ...paths])) {
        const { status, headers, text } = await throughProxy(service, name, encodeURI(path))
        if (status === 200) shown += 1
        look(`${name} ${path}`, headers, text)
      }
    }
    expect(found).to.deep.equal([])
    expect(shown).to.be.greaterThan(2 * tenants.length)
  })

  it('is public in all mails, of every kind', async () => {
    const { stores } = service.background
    const deliveries = await allOf(delivery.name)
    const kinds = new Set<unknown>()
    for (const { id, kind } of await allOf(mailing.name))
      for (const to of deliveries.filter(({ mailing_id }) => mailing_id === id)) {
        const kept = await readKept(stores, Number(id), Number(to.id))
        if (kept) kinds.add(kind)
        look(`${kind} ${id}`, kept ?? null)
      }
    expect(found).to.deep.equal([])
    expect(STANDARD_KINDS.filter((kind) => !kinds.has(kind))).to.deep.equal([])
  })
})
