import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { communitiesOf } from '../../support/communities.ts'
import { eventually } from '../../support/eventually.ts'
import { type Tenant, testService } from '../../support/service.ts'
import { type OnSale, type Shop, shopOf } from '../../support/traffic/shop.ts'
import { workflowOf } from '../workflows/making.ts'

describe('spaces that are bought', () => {
  let tenant: Tenant
  let shop: Shop
  let make: ReturnType<typeof communitiesOf>
  let community: number
  let group: number
  let spaces: number[]
  beforeEach(async () => {
    tenant = await (await testService()).tenant({ test: true })
    shop = await shopOf(tenant)
    make = communitiesOf(tenant)
    community = (await make.community()).id
    group = (await make.group(community)).id
    spaces = [(await make.space(group)).id, (await make.space(group)).id]
  })

  const sells = async (price: object = { amount: '20' }): Promise<OnSale> => {
    const line = await shop.sells(price)
    const included_space_groups_attributes = [{ communities_space_group_id: group }]
    const products_variant = { included_space_groups_attributes }
    ok(await tenant.api.put(`/products/variants/${line.variant_id}`, { products_variant }))
    return line
  }
  const spacesOf = async (contactId: number): Promise<readonly number[] | undefined> =>
    ok(await tenant.api.get(`/communities/${community}/memberships`)).find(
      (one: { contact: { id: number } }) => one.contact.id === contactId,
    )?.space_ids
  const isIn = (expected: readonly number[] | undefined, contactId = shop.contactId) =>
    eventually(async () => expect(await spacesOf(contactId)).to.deep.equal(expected))
  const refund = async (orderId: number) => {
    const [sale] = await shop.transactions(orderId)
    ok(await tenant.api.post(`/orders/transactions/${sale.id}/refund`))
  }

  it('a variant shows the groups that it opens, with their spaces', async () => {
    const { variant_id } = await sells()
    const { included_space_groups: shown } = ok(await tenant.api.get(`/products/variants/${variant_id}`))
    expect(shown).to.have.length(1)
    expect(shown[0]).to.deep.include({
      communities_space_group_id: group,
      spaces_mode: 'all',
      included_space_ids: spaces,
    })
  })

  it('are opened by a paid order, and closed with the last payment that is given back', async () => {
    const line = await sells()
    const [first, second] = [await shop.buys(line), await shop.buys(line)]
    await isIn(spaces)
    await refund(first.order_id)
    await shop.passes(1)
    await isIn(spaces)
    await refund(second.order_id)
    await isIn([])
  })

  it('are open again when what was given back is paid again, and stay closed to who has left since', async () => {
    const line = await sells()
    const order = { order_type: 'one-time-order', live_mode: false, contact_id: shop.contactId }
    const line_items_attributes = [{ ...line, quantity: 1 }]
    const made = await tenant.api.post(`${shop.workspace}/orders`, { order: { ...order, line_items_attributes } })
    const paid = { status: 'paid', paid_at: '2026-01-01T00:00:00Z' }
    const orders_invoice = { external_id: 'bill', ...paid }
    const { id } = ok(await tenant.api.post(`/orders/${ok(made).id}/invoices`, { orders_invoice }))
    const restate = async (status: object) =>
      ok(await tenant.api.put(`/orders/invoices/${id}`, { orders_invoice: status }))
    await isIn(spaces)
    for (const status of ['refunded', 'disputed']) {
      await restate({ status })
      await isIn([])
      await restate(paid)
      await isIn(spaces)
    }
    await restate({ status: 'refunded' })
    await isIn([])
    const [member] = ok(await tenant.api.get(`/communities/${community}/memberships`))
    expect((await tenant.api.delete(`/communities/memberships/${member.id}`)).status).to.be.below(300)
    await restate(paid)
    await shop.passes(1)
    await isIn(undefined)
  })

  it('stay open to who was in them before', async () => {
    const line = await sells()
    expect((await make.join(community, shop.contactId, { space_ids: [spaces[0]] })).status).to.equal(201)
    const { order_id } = await shop.buys(line)
    await isIn(spaces)
    await refund(order_id)
    await isIn([spaces[0]!])
  })

  it('close when the subscription has ended, and open again with the next one', async () => {
    const line = await sells({ amount: '20', payment_type: 'subscription', interval: 'months' })
    const { order_id } = await shop.buys(line)
    await isIn(spaces)
    ok(await tenant.api.post(`/orders/${order_id}/cancel`, { order: { effective_date: 'next_renewal' } }))
    await shop.passes(5)
    await isIn(spaces)
    await shop.passes(40)
    await isIn([])
    await shop.buys(line)
    await isIn(spaces)
  })

  it('15 39: are not opened to who is banned; what is bought or given back during a ban counts when it ends', async () => {
    const line = await sells()
    const first = await shop.buys(line)
    await isIn(spaces)
    const ban = ok(await make.ban(community, shop.contactId)).id
    await isIn(undefined)
    await refund(first.order_id)
    await shop.passes(1)
    ok(await tenant.api.delete(`/communities/bans/${ban}`))
    await isIn([])
    const again = ok(await make.ban(community, shop.contactId)).id
    await shop.buys(line)
    await shop.passes(1)
    expect(await spacesOf(shop.contactId)).to.equal(undefined)
    ok(await tenant.api.delete(`/communities/bans/${again}`))
    await isIn(spaces)
  })

  it('that are paid during a ban are given at its end to who was never a member', async () => {
    const line = await sells()
    const ban = ok(await make.ban(community, shop.contactId)).id
    await shop.buys(line)
    await shop.passes(1)
    expect(await spacesOf(shop.contactId)).to.equal(undefined)
    ok(await tenant.api.delete(`/communities/bans/${ban}`))
    await isIn(spaces)
    expect(ok(await tenant.api.get(`${shop.workspace}/refusals`))).to.deep.equal([])
  })

  it('15 48: a group and its spaces are not deleted while a variant opens them or a step of a workflow names them', async () => {
    const refused = async (path: string) => {
      const { status, body } = await tenant.api.delete(path)
      expect(status).to.equal(422)
      return body.error as string
    }
    const { variant_id } = await sells()
    const groupPath = `/communities/space_groups/${group}`
    const { name, included_space_groups: included } = ok(await tenant.api.get(`/products/variants/${variant_id}`))
    expect(await refused(groupPath)).to.contain(`Space group cannot be deleted: the variant ${name} opens it`)
    const products_variant = { included_space_groups_attributes: [{ id: included[0].id, _destroy: true }] }
    ok(await tenant.api.put(`/products/variants/${variant_id}`, { products_variant }))
    const workflow = await workflowOf(tenant)
    const step = await workflow.step({ grant_community_access_step: { space_ids: [spaces[1]] } })
    const says = `Space cannot be deleted: the step ${step.name} of the workflow ${(await workflow.show()).name} names it`
    for (const path of [groupPath, `/communities/spaces/${spaces[1]}`]) expect(await refused(path)).to.contain(says)
    ok(await tenant.api.delete(`/communities/spaces/${spaces[0]}`))
    ok(await tenant.api.delete(`/workflows/steps/${step.id}`))
    ok(await tenant.api.delete(groupPath))
    expect((await tenant.api.get(`/communities/spaces/${spaces[1]}`)).status).to.equal(404)
  })
})
