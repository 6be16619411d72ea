import { ask } from '../kernel/decide/ask.ts'
import { policy } from '../kernel/react/policy.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { shippingPackage } from './package/model.ts'
import { packages } from './package/rules.ts'

/** Unsets the former default when another package of the workspace takes that over. */
export const defaultPackageYields = policy({
  name: 'default-package-yields',
  on: [shippingPackage.event.ShippingPackageAdded, shippingPackage.event.ShippingPackageChanged],
  async react({ stream, metadata, data: { default_rank } }, read) {
    if (default_rank === undefined || default_rank === 0) return []
    const to = { id: parseStream(stream).id, default_rank }
    const set = await read.find(shippingPackage.name, { where: { default_of: Number(metadata.workspace_id) } })
    return set
      .map(({ id }) => Number(id))
      .filter((id) => id !== to.id)
      .map((id) => ask(packages, id, 'yieldDefault', { to }))
  },
})
