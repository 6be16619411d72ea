import { expect } from 'chai'
import { type Receiver, startReceiver } from '../../support/servers/receiver.ts'
import { startTestService } from '../../support/service.ts'

describe('webhooks of the catalogue', () => {
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver()
  })
  after(async () => receiver.close())

  it('report products and variants under the keys of the contract', async () => {
    const service = await startTestService({ MILLRACE_ALLOW_PRIVATE_TARGETS: '1' })
    const { api, workspaceId } = await service.tenant()
    const event_type_ids = [
      'product.created',
      'product.updated',
      'products/variant.created',
      'products/variant.updated',
    ]
    const webhooks_outgoing_endpoint = { url: receiver.url, name: 'Shop', event_type_ids }
    await api.post(`/workspaces/${workspaceId}/webhooks/outgoing/endpoints`, { webhooks_outgoing_endpoint })
    const { body: product } = await api.post(`/workspaces/${workspaceId}/products`, { product: { name: 'Shawl' } })
    await api.put(`/products/${product.id}`, { product: { name: 'Scarf' } })
    const variantId = product.default_variant_id
    await api.put(`/products/variants/${variantId}`, { products_variant: { sku: 'SC-1' } })
    const told = (await receiver.until(4)).map(({ json }) => [json.event_type, json.subject_type, json.subject_id])
    expect(told).to.have.deep.members([
      ['product.created', 'Product', product.id],
      ['product.updated', 'Product', product.id],
      ['products/variant.created', 'Products::Variant', variantId],
      ['products/variant.updated', 'Products::Variant', variantId],
    ])
  })
})
