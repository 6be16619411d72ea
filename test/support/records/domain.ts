import { ok } from '../client.ts'
import { publishText } from '../servers/name-server.ts'
import type { Tenant } from '../service.ts'
import { creatable, inWorkspace, type RecordMaker } from './making.ts'

let count = 0
const domain = creatable(
  async ({ workspaceId }) => ({ name: `shop-${workspaceId}-${++count}.example.com` }),
  inWorkspace('/domains'),
  'domain',
)

/** A domain whose owner has published its proof. */
const provable = async (tenant: Tenant): Promise<number> => {
  const id = await domain.make(tenant)
  const { proof } = ok(await tenant.api.get(`/domains/${id}`))
  publishText(proof.name, proof.value)
  return id
}

export const domainMaker: RecordMaker = { ...domain, make: provable }
