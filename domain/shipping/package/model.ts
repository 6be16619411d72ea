import { managed } from '../../kernel/model/field.ts'
import { choice, decimal, flag, integer, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'

const side = () => decimal({ required: true, min: 0 })

/** Packaging for goods. */
export const shippingPackage = model('shipping/package', {
  attributes: {
    package_type: choice(['box', 'envelope', 'soft_package'], { required: true }),
    height: side(),
    width: side(),
    length: side(),
    distance_unit: choice(['in', 'cm', 'ft', 'm', 'mm'], { required: true }),
    empty_weight: text({ nullable: true }),
    weight: decimal({ nullable: true, min: 0 }),
    weight_unit: choice(['lb', 'kg', 'g', 'oz'], { nullable: true }),
    default_package: flag({
      nullable: true,
      initial: false,
      about: 'Whether it is the default of the workspace; true takes that over from the package that was it',
    }),
    /** Of the packages that are set as the default, the one with the highest rank is it. The others cease to be set a moment later. */
    default_rank: managed(integer({ initial: 0 }), { shown: 'never' }),
    name: text({ required: true }),
    token: managed(text()),
    carrier: choice(['fedex', 'ups', 'usps'], { nullable: true }),
  },
  events: {
    ShippingPackageAdded: { creates: true, except: ['token'] },
    ShippingPackageChanged: { changes: 'rest' },
    ShippingPackageRemoved: { ends: true },
  },
  derives: {
    version: 1,
    of: ({ default_package, workspace_id }) => ({ default_of: default_package ? (workspace_id ?? null) : null }),
  },
})
