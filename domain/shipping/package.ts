import { decider } from '../kernel/decide/decider.ts'
import { managed } from '../kernel/model/field.ts'
import { choice, decimal, flag, text } from '../kernel/model/fields.ts'
import { model } from '../kernel/model/model.ts'
import { crud } from '../resources/crud.ts'
import { workspace } from '../resources/operations.ts'
import { serve } from '../resources/serve.ts'

const PACKAGES = '/workspaces/{workspace_id}/shipping/packages'
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
    default_package: flag({ nullable: true, initial: false }),
    name: text({ required: true }),
    token: managed(text()),
    carrier: choice(['fedex', 'ups', 'usps'], { nullable: true }),
  },
  events: {
    ShippingPackageAdded: { creates: true, except: ['token'] },
    ShippingPackageChanged: { changes: 'rest' },
    ShippingPackageRemoved: { ends: true },
  },
})

/** Rules of a package: a workspace has at most one default. */
export const packages = decider(shippingPackage, {
  claims: ({ default_package, workspace_id }) =>
    default_package
      ? [
          {
            scope: `shipping/package.default:${workspace_id}`,
            value: 'default',
            field: 'default_package',
            says: 'Default package has already been taken',
          },
        ]
      : [],
})

/** Shipping::Package. */
export const packageResource = serve(shippingPackage, packages, {
  title: 'Shipping::Package',
  root: 'shipping_package',
  category: 'store',
  under: workspace,
  operations: crud('ShippingPackages', PACKAGES, '/shipping/packages/{id}'),
})
