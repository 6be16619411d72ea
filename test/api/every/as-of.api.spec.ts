import { expect } from 'chai'
import { routesOf } from '../../../api/routes.ts'
import { resources } from '../../../domain/index.ts'
import { pathFor } from '../../support/operations.ts'
import { type Tenant, testService } from '../../support/service.ts'

const routes = routesOf(resources).filter(({ operation }) => operation.kind === 'show')

describe('a record as it was', () => {
  let tenant: Tenant
  before(async () => {
    tenant = await (await testService()).tenant({ test: true })
  })

  for (const route of routes)
    it(`is shown by ${route.operationId}, at a time after its last change as it is`, async () => {
      const asked = await pathFor(tenant, route)
      const api = route.operation.ofTeam ? await tenant.withScopes(['read'], 'team') : tenant.api
      const then = await api.get(`${asked}?as_of=2035-01-01`)
      expect(then.status, JSON.stringify(then.body)).to.equal(200)
      const now = await api.get(asked)
      expect(Object.keys(then.body)).to.deep.equal(Object.keys(now.body))
    })
})
