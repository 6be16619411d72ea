import { expect } from 'chai'
import { stepPaths } from '../../../domain/funnels/funnel/page-steps.ts'
import { cpuMs } from '../../support/cpu-time.ts'

const tree = ['/offer', '/offer-2', '/offer-4'].map((current_path, index) => ({
  type: 'show_page_step' as const,
  id: index,
  show_page_step_id: index,
  page_id: index,
  current_path,
}))

describe('slugs of new steps', () => {
  it('are unique among the steps of the funnel and among one another', () => {
    const pathOf = stepPaths(tree)
    const page = { name: 'Offer', external: false }
    expect([
      pathOf(page),
      pathOf(page),
      pathOf({ ...page, path: 'own' }),
      pathOf({ ...page, external: true }),
    ]).to.deep.equal(['/offer-3', '/offer-5', '/own', null])
    expect(pathOf({ ...page, name: 'Own' })).to.equal('/own-2')
  })

  it('are found in time in proportion to their number, although all pages have one name', () => {
    const make = (count: number) => () => {
      const pathOf = stepPaths([])
      for (let made = 0; made < count; made++) pathOf({ name: 'Offer', external: false })
    }
    expect(cpuMs(make(10_000))).to.be.lessThan(Math.max(8 * cpuMs(make(2500)), 100))
  })
})
