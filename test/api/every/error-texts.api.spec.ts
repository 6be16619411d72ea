import { expect } from 'chai'
import { type Tenant, testService } from '../../support/service.ts'
import { filters } from '../refusals/filters.ts'
import { pages } from '../refusals/pages.ts'
import { type Scene, scene } from '../refusals/scene.ts'
import { splits } from '../refusals/splits.ts'

const rows = [...pages, ...splits, ...filters]

describe('error texts of the API', () => {
  let tenant: Tenant
  let all: Scene
  before(async () => {
    tenant = await (await testService()).tenant()
    all = await scene(tenant)
  })

  for (const { says, status, method, path, body } of rows) {
    it(`${status} ${says}`, async () => {
      const answer = await tenant.api.call(method, path(all), body?.(all))
      expect(answer.body?.error).to.satisfy(
        (text: string) => text.startsWith(says),
        `${answer.status} ${answer.body?.error}`,
      )
      expect(answer.status).to.equal(status)
    })
  }

  it('and no refusal changed anything', async () => {
    const { body } = await tenant.api.get(`/funnels/${all.funnel.id}/structure`)
    expect(body.steps.map(({ page }: { page: { id: number } }) => page.id)).to.deep.equal([
      all.one.id,
      all.two.id,
      all.far.id,
    ])
    for (const page of [all.one, all.two, all.far, all.free, all.freeFar]) {
      expect((await tenant.api.get(`/pages/${page.id}`)).body).to.deep.equal({
        ...page,
        ...(page.show_page_step && { show_page_step: page.show_page_step }),
      })
    }
    expect((await tenant.api.get(`${all.ws}/pages`)).body).to.have.length(6)
  })
})
