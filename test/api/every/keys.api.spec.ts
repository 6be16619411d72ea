import { expect } from 'chai'
import { type Route, routesOf } from '../../../api/routes.ts'
import { resources } from '../../../domain/index.ts'
import type { WriteOperation } from '../../../domain/resources/operation.ts'
import { preparing } from '../../support/operations.ts'
import { REFUSED_AS_MADE } from '../../support/refused-as-made.ts'
import { type Tenant, testService } from '../../support/service.ts'

const writes = routesOf(resources).filter(({ operation }) => operation.kind === 'write')

const operationOf = ({ operation }: Route) => operation as WriteOperation

/** Another body than the one that was sent: a key is bound to what was sent, so no rule sees it. */
const otherThan = (body: object | undefined) => ({ ...body, another: 1 })

describe('every operation that writes', () => {
  let own: Tenant
  let ofTeam: Tenant
  before(async () => {
    own = await (await testService()).tenant({ test: true })
    ofTeam = { ...own, api: await own.withScopes(['read', 'write'], 'team') }
  })

  for (const route of writes) {
    const { method, operationId } = route
    const { prepared } = preparing(() => own, route)
    const send = (path: string, body: object | undefined, headers: Readonly<Record<string, string>>) =>
      (route.operation.ofTeam ? ofTeam : own).api.call(method, path, body, { headers })

    if (REFUSED_AS_MADE.has(operationId)) {
      it(`${operationId} is refused as the records of the makers are`, async () => {
        const { path, body } = await prepared()
        expect((await send(path, body, {})).status).to.be.within(400, 499)
      })
      continue
    }

    if (operationOf(route).on !== 'owner')
      it(`${operationId} writes only to the revision that If-Match names`, async () => {
        const { path, body } = await prepared()
        expect((await send(path, body, { 'If-Match': '"9999999"' })).status).to.equal(412)
      })

    it(`${operationId} is done once under one key, and refuses another request under it`, async () => {
      const { path, body } = await prepared()
      const headers = { 'Idempotency-Key': operationId }
      const first = await send(path, body, headers)
      expect(first.status, JSON.stringify(first.body)).to.be.below(300)
      const again = await send(path, body, headers)
      expect([again.status, again.headers.get('idempotency-replayed')]).to.eql([first.status, 'true'])
      expect(again.body).to.deep.equal(first.body)
      const other = await send(path, otherThan(body), headers)
      expect([other.status, other.body?.details?.[0]?.code]).to.eql([422, 'reused'])
    })
  }
})
