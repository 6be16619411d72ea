import { expect } from 'chai'
import { initialOf } from '../../../domain/kernel/model/field.ts'
import type { ApiClient } from '../../support/client.ts'
import { bodyOf, nullableProperties } from '../../support/nullable.ts'
import { bodyFor, inBody, pathFor } from '../../support/operations.ts'
import { type Tenant, testService } from '../../support/service.ts'

/** Properties that a rule needs for the record that is sent: a bill that is paid, a subscription, and who likes, since the caller is no contact. */
const NEEDED: ReadonlySet<string> = new Set([
  'createCommunitiesSpacesPostsCommentsLikes communities_spaces_posts_comments_like.contact_id',
  'createCommunitiesSpacesPostsLikes communities_spaces_posts_like.contact_id',
  'createOrdersInvoices orders_invoice.paid_at',
  'updateProductsPrices products_price.interval',
])

const properties = nullableProperties().filter(({ names }) => names.length === 1)
const routes = [...new Set(properties.map(({ route }) => route))]

describe('null for a property that the contract calls nullable', () => {
  let tenant: Tenant
  let ofTeam: ApiClient
  before(async () => {
    tenant = await (await testService()).tenant({ test: true })
    ofTeam = await tenant.withScopes(['read', 'write'], 'team')
  })

  for (const route of routes) {
    it(`is taken by ${route.operationId}, and means the initial value`, async () => {
      const { root, fields } = bodyOf(route)
      const own = properties.filter((one) => one.route === route && !NEEDED.has(one.about))
      const names = own.map((one) => one.names[0]!)
      const body = await bodyFor(tenant, route)
      const sent = root === null ? body : (body?.[root] as Record<string, unknown>)
      const nulls = Object.fromEntries(names.map((name) => [name, null]))
      const api = route.operation.ofTeam ? ofTeam : tenant.api
      const path = await pathFor(tenant, route)
      const answer = await api.call(route.method, path, inBody(root, { ...sent, ...nulls }))
      expect(answer.status, answer.body?.error).to.be.lessThan(300)
      for (const name of names) {
        const initial = initialOf(fields[name])
        const isPlain = typeof initial === 'boolean' || Array.isArray(initial)
        if (isPlain && name in answer.body) expect(answer.body[name], name).to.deep.equal(initial)
      }
    })
  }
})
