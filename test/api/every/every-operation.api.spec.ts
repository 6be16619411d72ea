import { expect } from 'chai'
import { type Route, routesOf } from '../../../api/routes.ts'
import { resources } from '../../../domain/index.ts'
import { CATEGORIES } from '../../../domain/kernel/values/scopes.ts'
import type { WriteOperation } from '../../../domain/resources/operation.ts'
import { byForm } from '../../reliability/form.ts'
import type { Answer } from '../../support/client.ts'
import { bodyFor, inBody, pathFor, preparing } from '../../support/operations.ts'
import { ids } from '../../support/projection.ts'
import { type Tenant, testService } from '../../support/service.ts'

const routes = routesOf(resources)

const fieldsIn = (root: string | null, body: Record<string, unknown> | undefined): Record<string, unknown> =>
  (root === null ? body : body?.[root]) as Record<string, unknown>

const bodyless = (answer: Answer) => answer.body?.error as string | undefined
const hasBody = ({ operation }: Route) => operation.kind === 'write' && operation.body !== undefined

const WRONG: readonly unknown[] = [
  { an: 'object' },
  { nested: { an: 'object' } },
  [['deep']],
  12.75,
  true,
  'not what is wanted \u0001',
]
/** In the short form a field is sent wrong values until one is refused, and the next field is sent another one first. */
const ENOUGH = byForm(1, WRONG.length)
let turn = 0
const wrongValues = (): readonly unknown[] => {
  const first = turn++ % WRONG.length
  return [...WRONG.slice(first), ...WRONG.slice(0, first)]
}

/** The tenant with a client that may call this operation. */
const asCallerOf = async (tenant: Tenant, { operation }: Route): Promise<Tenant> =>
  operation.ofTeam ? { ...tenant, api: await tenant.withScopes(['read', 'write'], 'team') } : tenant

describe('every operation', () => {
  let workspaces: readonly Tenant[]
  before(async () => {
    const service = await testService()
    workspaces = [await service.tenant({ test: true }), await service.tenant({ test: true })]
  })

  for (const route of routes) {
    const { operationId, method, category, level, resource } = route
    describe(operationId, () => {
      let mine: Tenant
      let other: Tenant
      before(async () => {
        ;[mine, other] = [await asCallerOf(workspaces[0]!, route), await asCallerOf(workspaces[1]!, route)]
      })
      const { prepared, forget } = preparing(() => mine, route)

      it('answers 401 without a token or with an unknown one, and refers to the documentation', async () => {
        const service = await testService()
        const { path, body } = await prepared()
        for (const client of [service.client(), service.client('mr_unknown')]) {
          const answer = await client.call(method, path, body)
          expect(answer.status).to.equal(401)
          expect(answer.body.error).to.equal('API key missing or invalid')
          expect(answer.headers.get('link')).to.include('rel="service-desc"')
        }
      })

      it('answers 403 when the scopes do not cover it', async () => {
        const elsewhere = CATEGORIES.find((one) => one !== category)!
        const scopes = level === 'write' ? [`${category}:read`, `${elsewhere}:write`] : [`${elsewhere}:write`]
        const client = await mine.withScopes(scopes)
        const { path, body } = await prepared()
        const answer = await client.call(method, path, body)
        expect(answer.status).to.equal(403)
        expect(bodyless(answer)).to.equal(`Forbidden: this token lacks the scope ${category}:${level}`)
        expect(answer.headers.get('link')).to.include('oauth-protected-resource')
      })

      if (route.path.includes('{') && !('byCode' in route.operation)) {
        it('answers 404 to another workspace, and for records that never existed', async () => {
          const { path, body } = await prepared()
          const answer = await other.api.call(method, path, await bodyFor(other, route))
          expect(answer.status).to.equal(404)
          expect(bodyless(answer)).to.equal(resource.missing ?? 'Not found: Record missing')
          for (const id of ['2000000000', 'zzzzzz', 'not-an-id', '99999999999999999999']) {
            const nowhere = await mine.api.call(method, route.path.replace(/\{[^}]+\}/, id), body)
            expect(nowhere.status).to.equal(404)
          }
        })
      }

      if (route.operation.ofTeam) {
        it('answers 403 to a token of one workspace', async () => {
          const [tenant] = workspaces
          const answer = await tenant!.api.call(method, await pathFor(tenant!, route), await bodyFor(tenant!, route))
          expect(answer.status).to.equal(403)
          expect(bodyless(answer)).to.equal('Forbidden: this takes a token of the team, not of one workspace')
        })
      }

      if (hasBody(route)) {
        const { root, fields, mode } = (route.operation as WriteOperation).body!

        it('answers 400 to what is not JSON, and to a body without its root', async () => {
          const { path } = await prepared()
          for (const raw of ['{', '{"a":', 'x', '\u0000']) {
            const answer = await mine.api.call(method, path, undefined, { raw })
            expect(answer.status).to.equal(400)
            expect(bodyless(answer)).to.equal('Bad request: HTTP body must be valid JSON')
          }
          const { optional } = (route.operation as WriteOperation).body!
          if (root === null || optional) return
          for (const body of [
            undefined,
            {},
            [],
            'text',
            7,
            null,
            { [root]: null },
            { [root]: {} },
            { [root]: [] },
            { [root]: 'x' },
          ]) {
            const answer = await mine.api.call(method, path, body)
            expect(answer.status, JSON.stringify(body)).to.equal(400)
            expect(bodyless(answer)).to.equal(`Bad request: param is missing or the value is empty: ${root}`)
          }
        })

        for (const [name, field] of Object.entries(fields)) {
          if (field.required && mode === 'create') {
            it(`needs ${name}`, async () => {
              const { path, body } = await prepared()
              const { [name]: _, ...rest } = fieldsIn(root, body)
              const answer = await mine.api.call(method, path, inBody(root, { ...rest, other: 1 }))
              expect(answer.status).to.equal(422)
              expect(answer.body.details[0].field).to.equal(root === null ? name : `${root}.${name}`)
              expect(answer.body.details[0].code).to.equal('blank')
            })
          }
          it(`names ${name} when its type is wrong, and changes nothing`, async () => {
            let refused = 0
            for (const wrong of wrongValues()) {
              const { path, body } = await prepared()
              const answer = await mine.api.call(method, path, inBody(root, { ...fieldsIn(root, body), [name]: wrong }))
              if (answer.status < 300) {
                forget()
                continue
              }
              const named = answer.body.details.map((detail: { field: string }) => detail.field) as readonly string[]
              const isNamed = named.some((one) => one === `${root}.${name}` || one === name)
              // What the field takes may still be refused for the sake of another field.
              if (!isNamed && 'value' in field.parse(wrong, { ids })) continue
              refused++
              expect(answer.status).to.be.oneOf([400, 422])
              expect(isNamed, named.join()).to.equal(true)
              if (refused === ENOUGH) break
            }
            expect(refused).to.be.greaterThan(0)
          })
        }
      }
    })
  }
})
