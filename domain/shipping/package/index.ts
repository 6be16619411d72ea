import { Type } from 'typebox'
import { recordOf } from '../../kernel/model/fold.ts'
import { crud } from '../../resources/crud.ts'
import { workspace } from '../../resources/operations.ts'
import { nullable } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { shippingPackage } from './model.ts'
import { isDefault, packages } from './rules.ts'

const PACKAGES = '/workspaces/{workspace_id}/shipping/packages'

/** Shipping::Package. */
export const packageResource = serve(shippingPackage, packages, {
  title: 'Shipping::Package',
  root: 'shipping_package',
  category: 'store',
  under: workspace,
  indexes: [{ fields: ['default_of'] }],
  view: {
    default_package: {
      schema: nullable(Type.Boolean()),
      async of(record, load) {
        if (!record.default_package || record.workspace_id === undefined) return record.default_package
        const set = await load.where(shippingPackage.name, 'default_of', record.workspace_id)
        return isDefault(record, set.map(recordOf(shippingPackage)))
      },
    },
  },
  operations: crud('ShippingPackages', PACKAGES, '/shipping/packages/{id}'),
})
