import { expect } from 'chai'
import { type Route, routesOf } from '../../../api/routes.ts'
import { resources } from '../../../domain/index.ts'
import type { Filter, ListOperation, WriteOperation } from '../../../domain/resources/operation.ts'
import { publicIdResourceOf } from '../../../domain/resources/resource.ts'
import type { Answer } from '../../support/client.ts'
import { FOREIGN_IDS, type ForeignId, idIn, NO_RECORDS, undeclaredOf } from '../../support/foreign-ids.ts'
import { bodyFor, inBody, pathFor } from '../../support/operations.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { textsIn } from '../../support/texts-in.ts'

const routes = routesOf(resources)
const undeclared = undeclaredOf(routes)

const REFUSED: readonly number[] = [400, 404, 422]

describe('an id of another team, in a field of which the declaration does not say what it names', () => {
  let service: TestService
  let mine: Tenant
  let other: Tenant
  before(async () => {
    service = await testService()
    ;[mine, other] = [await service.tenant({ test: true }), await service.tenant({ test: true })]
  })

  it('is tried in every such field', () => {
    const paths = [...new Set(undeclared.map(({ path }) => path))]
    const listed = [...Object.keys(FOREIGN_IDS), ...Object.keys(NO_RECORDS)]
    expect(paths.filter((path) => !listed.includes(path))).to.deep.equal([])
    expect(listed.filter((path) => !paths.includes(path))).to.deep.equal([])
  })

  /** Expects that a request was refused, that it wrote nothing, and that nothing of the record is in its answer. */
  const expectNothing = async (before: number, answer: Answer, sent: unknown, foreign: readonly string[]) => {
    const text = JSON.stringify(answer.body)
    expect(REFUSED, text).to.include(answer.status)
    for await (const { type, metadata } of service.background.stores.log.readAll({ after: before }))
      expect(metadata.$correlationId, type).not.to.equal(answer.body.request_id)
    const said = JSON.stringify(sent)
    for (const one of foreign) if (!said.includes(one)) expect(text).not.to.include(one)
  }

  const textsOf = async (kind: string, id: number | string): Promise<readonly string[]> =>
    typeof id === 'number' ? textsIn(await service.background.stores.readModels.live.get(kind, id)) : []

  const sending = async (
    route: Route,
    { sends, changed }: ForeignId,
    id: number | string,
  ): Promise<() => Promise<{ answer: Answer; sent: unknown }>> => {
    const { root } = (route.operation as WriteOperation).body!
    const own = changed && route.path.includes('{id}') ? await changed(mine) : undefined
    const path = own === undefined ? await pathFor(mine, route) : route.path.replace('{id}', String(own))
    const valid = own === undefined ? await bodyFor(mine, route) : inBody(root, {})
    const fields = (root === null ? valid : valid![root]) as Record<string, unknown>
    const sent = inBody(root, { ...fields, ...(await sends(id, mine, route.path.includes('{id}'))) })
    return async () => ({ answer: await mine.api.call(route.method, path, sent), sent })
  }

  for (const { route, path } of undeclared) {
    const named = FOREIGN_IDS[path]
    if (!named) continue
    const idOf = (of: Tenant) => named.id?.(of) ?? idIn(of, named.kind)
    it(`as ${path} of ${route.operationId} is refused, and nothing of it is written or shown`, async () => {
      const id = await idOf(other)
      const send = await sending(route, named, id)
      const before = await service.background.stores.log.lastPosition()
      const { answer, sent } = await send()
      await expectNothing(before, answer, sent, await textsOf(named.kind, id))
      if (named.isOwnRefused === true || (named.isOwnRefused && route.path.includes('{id}'))) return
      const own = await (await sending(route, named, await idOf(mine)))()
      expect(own.answer.status, JSON.stringify(own.answer.body)).to.be.lessThan(300)
    })
  }

  const kindOf = ({ resource }: Route, name: string, { field, kind }: Filter): string =>
    kind ?? (field === 'id' ? publicIdResourceOf(resource) : (resource.refersTo?.[field] ?? name))

  for (const route of routes) {
    const { filters = {}, select } = route.operation as ListOperation
    for (const [name, filter] of Object.entries(filters))
      if (filter.type === 'id')
        it(`as filter ${name} of ${route.operationId} finds nothing`, async () => {
          const kind = kindOf(route, name, filter)
          const id = await idIn(other, kind)
          const { status, body } = await mine.api.get(`${await pathFor(mine, route)}?filter[${name}]=${id}`)
          expect([status, body]).to.deep.equal([200, []])
        })
    for (const name of Object.keys(select?.parameters ?? {}).filter((one) => one !== 'include_archived'))
      it(`as parameter ${name} of ${route.operationId} is refused`, async () => {
        const foreign =
          name === 'stable_id' ? await FOREIGN_IDS.stable_id!.id!(other) : await idIn(other, 'contacts/filter')
        const { status, body } = await mine.api.get(`${await pathFor(mine, route)}?${name}=${foreign}`)
        expect(status, JSON.stringify(body)).to.equal(422)
      })
  }

  it('as a parameter of what is taken off a page is refused', async () => {
    const { changed } = FOREIGN_IDS.product_ids!
    const path = `/pages/${await changed!(mine)}/products?product_ids=${await idIn(other, 'product')}`
    const before = await service.background.stores.log.lastPosition()
    await expectNothing(before, await mine.api.call('DELETE', path), {}, [])
  })
})
