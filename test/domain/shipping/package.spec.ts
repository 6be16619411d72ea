import { shippingPackage } from '../../../domain/shipping/package/model.ts'
import { packages } from '../../../domain/shipping/package/rules.ts'
import { ask, given, ROOT } from '../../support/decider.ts'

const { event } = shippingPackage
const BOX = { package_type: 'box', height: 1, width: 2, length: 3, distance_unit: 'in', name: 'Box' } as const
const added = (fields: object = {}) => ({ type: 'ShippingPackageAdded', data: { ...BOX, ...fields } })
const changed = event.ShippingPackageChanged
const other = (default_rank: number, id = 9) => ({ id, default_rank })
const asDefault = ask('change', { default_package: true })

describe('a package that is set as the default', () => {
  it('ranks above those that are set', () => {
    given(packages, added())
      .when(asDefault, [])
      .then(changed({ default_package: true, default_rank: 1 }))
    given(packages, added())
      .when(asDefault, [other(0), other(4)])
      .then(changed({ default_package: true, default_rank: 5 }))
  })

  it('keeps its rank while it is the default, and takes a higher one when another package is', () => {
    const set = added({ default_package: true, default_rank: 2 })
    given(packages, set).when(asDefault, []).thenNothing()
    given(packages, set)
      .when(asDefault, [other(1), other(2, 0)])
      .thenNothing()
    given(packages, set)
      .when(asDefault, [other(2)])
      .then(changed({ default_rank: 3 }))
  })

  it('yields to one of a higher rank, and of two of one rank to the later one', () => {
    const set = added({ default_package: true, default_rank: 2 })
    const yieldTo = (to: object) => given(packages, set).when(ask('yieldDefault', { to }))
    yieldTo(other(3)).then(changed({ default_package: false }))
    yieldTo(other(2, ROOT + 1)).then(changed({ default_package: false }))
    yieldTo(other(2, ROOT - 1)).thenNothing()
    yieldTo(other(1)).thenNothing()
    given(packages, added())
      .when(ask('yieldDefault', { to: other(3) }))
      .thenNothing()
  })

  it('was set before there were ranks, and yields to any that has one', () => {
    given(packages, added({ default_package: true }))
      .when(ask('yieldDefault', { to: other(1, 0) }))
      .then(changed({ default_package: false }))
  })
})
