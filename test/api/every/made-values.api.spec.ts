import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { routesOf } from '../../../api/routes.ts'
import { resources } from '../../../domain/index.ts'
import type { EventLog } from '../../../domain/kernel/ports/event-log.ts'
import type { WriteOperation } from '../../../domain/resources/operation.ts'
import { bodyFor, pathFor } from '../../support/operations.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'
import { withOwn } from '../../support/with-own.ts'

const WHILE_MS = 30

const making = routesOf(resources).filter(({ operation }) => (operation as WriteOperation).makes !== undefined)

/** Names that are unique themselves, so that only the paths that they give may be the same. */
const SAME_PATH = [
  'Cafe',
  'cafe!',
  'CAFE?',
  '"cafe"',
  'cafe.',
  'Cafe,',
  '(cafe)',
  'cafe;',
  'cafe:',
  '-cafe-',
  '#cafe',
  'cafe*',
]

/** A log whose appends take a while, so that all look for holders of a path before one of them is there. */
const slowly = (log: EventLog): EventLog =>
  withOwn(log, {
    async append(request) {
      await setTimeout(WHILE_MS)
      return log.append(request)
    },
  })

describe('values that are made', () => {
  let service: TestService
  let tenant: Tenant
  before(async () => {
    service = await startTestService({}, slowly)
    tenant = await service.tenant()
  })

  it('are the paths of nine resources', () => expect(making.map(({ operationId }) => operationId)).to.have.length(9))

  for (const route of making)
    it(`differ where records are made at once, and none is refused: ${route.operationId}`, async () => {
      const [path, sent] = [await pathFor(tenant, route), (await bodyFor(tenant, route)) as Record<string, object>]
      const [[root, fields]] = Object.entries(sent) as [[string, Record<string, unknown>]]
      const named = 'title' in fields ? 'title' : 'name' in fields ? 'name' : 'last_name'
      const { current_path: _, first_name: __, ...rest } = fields
      const made = await Promise.all(
        SAME_PATH.map((name) => tenant.api.call(route.operation.method, path, { [root]: { ...rest, [named]: name } })),
      )
      expect(made.map(({ status }) => status)).to.deep.equal(made.map(() => 201))
      const { live } = service.background.stores.readModels
      await service.caughtUp()
      const documents = await Promise.all(made.map(({ body }) => live.get(route.resource.name, body.id)))
      expect(new Set(documents.map((document) => document?.current_path)).size).to.equal(SAME_PATH.length)
    })
})
