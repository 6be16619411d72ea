import { expect } from 'chai'
import { type Route, routesOf } from '../../../api/routes.ts'
import { resources } from '../../../domain/index.ts'
import type { Field } from '../../../domain/kernel/model/field.ts'
import { openEvent, PERSONAL } from '../../../domain/kernel/model/personal.ts'
import { modelsIn } from '../../../domain/kernel/model/references.ts'
import { CATEGORIES } from '../../../domain/kernel/values/scopes.ts'
import type { ListOperation } from '../../../domain/resources/operation.ts'
import type { Resource } from '../../../domain/resources/resource.ts'
import type { Answer, ApiClient } from '../../support/client.ts'
import { marking } from '../../support/marking.ts'
import { bodyFor, pathFor } from '../../support/operations.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { textsIn } from '../../support/texts-in.ts'

/** Operations of other categories. Those for tokens of a team have no records of a workspace. */
const routes = routesOf(resources).filter(({ category, operation }) => category !== 'contacts' && !operation.ofTeam)

/** Shorter texts occur elsewhere too: a city is in the name of a time zone. */
const LEAST = 8

/** Returns the names of the personal attributes of a resource. */
const personalOf = ({ aggregate: { model: root } }: Resource): readonly string[] =>
  modelsIn(root)
    .flatMap(({ model }) => Object.entries<Field>(model.attributes))
    .flatMap(([name, { personal }]) => (personal ? name : []))

const names = [...new Set(resources.flatMap(personalOf))]

describe('a key with every scope but that for contacts', () => {
  let service: TestService
  let tenant: Tenant
  let blind: ApiClient
  before(async () => {
    service = await testService()
    tenant = marking(await service.tenant({ test: true }))
    const others = CATEGORIES.filter((category) => category !== 'contacts').map((category) => `${category}:write`)
    blind = await tenant.withScopes(others)
  })

  const known = new Set<string>()
  let read = 0
  /** Returns all personal texts that were ever stored in the workspace. */
  const personal = async (): Promise<readonly string[]> => {
    const { log, vault } = service.background.stores
    for await (const event of log.readAll({ after: read })) {
      read = event.position
      if (event.metadata.workspace_id !== tenant.workspaceId) continue
      for (const text of textsIn((await openEvent(vault, event)).data[PERSONAL]))
        if (text.length >= LEAST) known.add(text)
    }
    return [...known]
  }

  const tracesIn = async ({ body }: Answer, sent: unknown = ''): Promise<readonly string[]> => {
    const [text, asked] = [JSON.stringify(body) ?? '', JSON.stringify(sent) ?? '']
    return (await personal()).filter((one) => text.includes(JSON.stringify(one).slice(1, -1)) && !asked.includes(one))
  }

  const expandsOf = ({ operation, resource }: Route): string => {
    const parts = operation.kind === 'read' ? (operation.expands ?? []) : Object.keys(resource.view.expands ?? {})
    return parts.map((part) => `expand[]=${part}`).join('&')
  }

  let seen = 0
  for (const route of routes) {
    const { operationId, method, operation } = route
    it(`is shown nothing personal by ${operationId}`, async () => {
      const path = await pathFor(tenant, route)
      const body = await bodyFor(tenant, route)
      const isRead = method === 'GET'
      const asked = isRead ? `${path}?${expandsOf(route)}` : path
      if (isRead && (await tracesIn(await tenant.api.get(asked))).length > 0) seen++
      expect(await tracesIn(await blind.call(method, asked, body), body)).to.deep.equal([])
      if (operation.kind === 'show') {
        const then = await blind.get(`${path}?as_of=${new Date().toISOString()}`)
        expect(await tracesIn(then)).to.deep.equal([])
      }
    })
    if (operation.kind === 'list')
      it(`cannot narrow or order ${operationId} by what is personal`, async () => {
        const { filters, sorts } = operation as ListOperation
        const fields = [...Object.values(filters).map(({ field }) => field), ...sorts]
        expect(fields.filter((field) => personalOf(route.resource).includes(field))).to.deep.equal([])
        const path = await pathFor(tenant, route)
        const name = 'first_name'
        const filtered = await blind.get(`${path}?filter[${name}]=Unmistakable`)
        const sorted = await blind.get(`${path}?sort_property=${name}`)
        expect([filtered.status, sorted.status], name).to.deep.equal([400, 400])
      })
  }

  it('cannot count by what is personal', async () => {
    for (const resource of ['contact', 'order'])
      for (const name of names) {
        const path = `/workspaces/${tenant.workspaceId}/stats?resource=${resource}&count_by[property]=${name}`
        expect((await blind.get(path)).status, `${resource} ${name}`).to.be.oneOf([400, 403, 404, 422])
      }
  })

  it('is one for which there is something to hide', () => {
    expect(known.size).to.be.greaterThan(50)
    expect(seen).to.be.greaterThan(10)
  })
})
