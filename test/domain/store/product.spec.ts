import { expect } from 'chai'
import fc from 'fast-check'
import { combination, sameKey } from '../../../domain/store/product/properties.ts'
import { products } from '../../../domain/store/product/rules.ts'
import { ask, given } from '../../support/decider.ts'

const properties = [
  { id: 21, name: 'Size' },
  { id: 22, name: 'Colour' },
]
const created = (more: object = {}) => ({
  type: 'ProductCreated',
  data: { name: 'Shirt', default_variant_id: 11, tag_ids: [], variant_properties: properties, ...more },
})
const values = (size: string, colour: string) => [
  { property_id: 21, value: size },
  { property_id: 22, value: colour },
]
const added = (variant_id: number, size: string, colour: string) => ({
  type: 'VariantAdded',
  data: { variant_id, name: 'Shirt', properties_values: values(size, colour) },
})
const of = (id: number) => ({ child: 'variants', id })
const notLive = false

describe('product', () => {
  it('is archived once, and never while it is live', () => {
    given(products, created()).when(ask('archive'), notLive).then({ type: 'ProductArchived', data: {} })
    for (const shown of [{ visible_in_store: true }, { visible_in_customer_center: true }])
      given(products, created(shown))
        .when(ask('archive'), notLive)
        .refuses('invalid', /not in the live state/)
    given(products, created())
      .when(ask('archive'), true)
      .refuses('invalid', /not in the live state/)
    const archived = { type: 'ProductArchived', data: {} }
    given(products, created(), archived)
      .when(ask('archive'), notLive)
      .refuses('conflict', /already archived/)
    given(products, created({ visible_in_store: true }), archived)
      .when(ask('unarchive'), true)
      .then({ type: 'ProductUnarchived', data: {} })
    given(products, created())
      .when(ask('unarchive'), notLive)
      .refuses('conflict', /not archived/)
  })

  it('keeps a property in which its variants differ, and lets go of others with their values', () => {
    const history = [created(), added(12, 'L', 'Red'), added(13, 'M', 'Red')]
    const set = (variant_properties: object[]) => ask('change', { variant_properties }, { ids: [31] })
    given(products, ...history)
      .when(set([{ id: 22, name: 'Colour' }]), notLive)
      .refuses('invalid', /Size/)
    given(products, ...history)
      .when(set([{ id: 21, name: 'Width' }, { name: 'Fit' }]), notLive)
      .then({
        type: 'ProductPropertiesSet',
        data: {
          variant_properties: [
            { id: 21, name: 'Width' },
            { id: 31, name: 'Fit' },
          ],
          variant_ids: [11, 12, 13],
        },
      })
    given(products, ...history)
      .when(set([{ id: 99, name: 'Foreign' }]), notLive)
      .refuses('invalid', /not a property/)
    given(products, ...history)
      .when(set([...properties, { name: ' size ' }]), notLive)
      .refuses('invalid', /same name/)
  })

  it('has no values on its default variant', () => {
    given(products, created())
      .when(ask('change', { properties_values: values('L', 'Red') }, of(11)))
      .refuses('invalid', /default variant/)
  })

  it('removes a tag only where it is applied', () => {
    given(products, created({ tag_ids: [4, 5] }))
      .when(ask('untag', { tag_id: 4 }))
      .then({ type: 'ProductTagsSet', data: { tag_ids: [5] } })
    given(products, created({ tag_ids: [5] }))
      .when(ask('untag', { tag_id: 4 }))
      .thenNothing()
  })

  it('takes the same letters for the same value, however they are composed', () => {
    for (const value of ['CRÈME', 'cre\u0300me', 'Ｃrème', 'crè\u200bme']) {
      given(products, created(), added(12, 'L', 'Crème'))
        .when(ask('create', { properties_values: values('l', value) }, of(13)))
        .refuses('invalid', 'Properties values have already been taken')
    }
  })

  it('never has two variants that are the same but for case and space', () => {
    const value = fc.constantFrom('l', ' L', 'XL', 'x l', 'X  L', 'red', 'Red ')
    fc.assert(
      fc.property(fc.tuple(value, value), fc.tuple(value, value), (one, two) => {
        const same = one.every((text, index) => sameKey(text) === sameKey(two[index]!))
        expect(combination(properties, values(...one)) === combination(properties, values(...two))).to.equal(same)
        const asked = ask('create', { properties_values: values(...two) }, of(13))
        const outcome = given(products, created(), added(12, ...one)).when(asked)
        if (same) outcome.refuses('invalid', 'Properties values have already been taken')
        else expect(() => outcome.refuses('invalid', /./)).to.throw('expected a refusal')
      }),
    )
  })
})
