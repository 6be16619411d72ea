import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { coursesOf } from '../../support/courses.ts'
import { eventually } from '../../support/eventually.ts'
import { type Tenant, testService } from '../../support/service.ts'
import { type OnSale, type Shop, shopOf } from '../../support/traffic/shop.ts'

describe('courses that are bought', () => {
  let tenant: Tenant
  let shop: Shop
  let make: ReturnType<typeof coursesOf>
  beforeEach(async () => {
    tenant = await (await testService()).tenant({ test: true })
    shop = await shopOf(tenant)
    make = coursesOf(tenant)
  })

  type Includes = readonly { readonly course_id: number; readonly section_ids?: readonly number[] }[]
  const includes = async ({ variant_id }: OnSale, ...all: Includes) =>
    ok(
      await tenant.api.put(`/products/variants/${variant_id}`, {
        products_variant: {
          included_courses_attributes: all.map(({ course_id, section_ids }) => ({
            course_id,
            ...(section_ids && {
              included_sections_attributes: section_ids.map((courses_section_id) => ({ courses_section_id })),
            }),
          })),
        },
      }),
    )
  const grants = (courseId: number) => make.grantsOf(courseId, shop.contactId)
  const hasGrants = (courseId: number, count: number) =>
    eventually(async () => expect(await grants(courseId)).to.have.length(count))
  const refund = async (orderId: number) => {
    const [sale] = await shop.transactions(orderId)
    ok(await tenant.api.post(`/orders/transactions/${sale.id}/refund`))
  }
  const once = { amount: '20' }
  const monthly = { amount: '20', payment_type: 'subscription', interval: 'months' }

  const external = async (line: OnSale, order_type = 'one-time-order') => {
    const order = { order_type, live_mode: false, contact_id: shop.contactId }
    const path = `/workspaces/${tenant.workspaceId}/orders`
    return ok(await tenant.api.post(path, { order: { ...order, line_items_attributes: [{ ...line, quantity: 1 }] } }))
  }
  const bill = async (orderId: number, status: string) =>
    ok(
      await tenant.api.post(`/orders/${orderId}/invoices`, {
        orders_invoice: {
          external_id: `bill ${orderId} ${status}`,
          status,
          ...(status === 'paid' && { paid_at: '2026-01-01T00:00:00Z' }),
        },
      }),
    ).id as number
  const restate = async (invoiceId: number, status: string) =>
    ok(
      await tenant.api.put(`/orders/invoices/${invoiceId}`, {
        orders_invoice: { status, ...(status === 'paid' && { paid_at: '2026-01-02T00:00:00Z' }) },
      }),
    )

  it('15 1: bought twice and refunded once, a course stays open: what ends one cause ends that grant alone', async () => {
    const { id } = await make.taught(2)
    const line = await shop.sells(once)
    await includes(line, { course_id: id })
    const [first, second] = [await shop.buys(line), await shop.buys(line)]
    await hasGrants(id, 2)
    await refund(first.order_id)
    await hasGrants(id, 1)
    await refund(second.order_id)
    await hasGrants(id, 0)
  })

  it('15 2: an enrolment made by the API is not ended by the refund of an order that gave the same course', async () => {
    const { id } = await make.taught(1)
    const line = await shop.sells(once)
    await includes(line, { course_id: id })
    expect((await make.enroll(id, shop.contactId)).status).to.equal(201)
    const { order_id } = await shop.buys(line)
    await hasGrants(id, 2)
    await refund(order_id)
    await hasGrants(id, 1)
    expect((await grants(id))[0]).to.include({ source_type: 'api' })
  })

  it('15 3: an order that is never paid gives nothing, and takes nothing from who has paid for another', async () => {
    const { id } = await make.taught(1)
    const line = await shop.sells(once)
    await includes(line, { course_id: id })
    const paid = await external(line)
    await bill(paid.id, 'paid')
    await hasGrants(id, 1)
    const other = await external(line)
    const open = await bill(other.id, 'unpaid')
    for (const status of ['past-due', 'voided']) await restate(open, status)
    await bill(paid.id, 'unpaid')
    await shop.passes(1)
    expect(await grants(id)).to.have.length(1)
  })

  it('15 4: a refund and a lost dispute end access, what is given back restores it with the progress', async () => {
    const { id, sections } = await make.taught(2)
    const line = await shop.sells(once)
    await includes(line, { course_id: id })
    const { id: orderId } = await external(line)
    const invoice = await bill(orderId, 'paid')
    await hasGrants(id, 1)
    const own = await make.enrollmentOf(id, shop.contactId)
    ok(await make.complete(id, own.id, sections[0]!.lessons[0]!))
    for (const status of ['refunded', 'disputed']) {
      await restate(invoice, status)
      await hasGrants(id, 0)
      expect((await make.enrollmentOf(id, shop.contactId)).progress_percent).to.equal(0)
      await restate(invoice, 'paid')
      await hasGrants(id, 1)
      expect(await make.enrollmentOf(id, shop.contactId)).to.include({ id: own.id, progress_percent: 50 })
    }
  })

  it('15 5: commerce does not touch `suspended`: a renewal or a purchase lifts it not, a refund sets it not', async () => {
    const { id } = await make.taught(1)
    const line = await shop.sells(monthly)
    await includes(line, { course_id: id })
    const { order_id } = await shop.buys(line)
    await hasGrants(id, 1)
    const own = await make.enrollmentOf(id, shop.contactId)
    const suspended = { suspended: true, suspension_reason: 'Shared the key' }
    ok(await tenant.api.put(`/courses/enrollments/${own.id}`, { courses_enrollment: suspended }))
    await shop.passes(32)
    await shop.buys(line)
    await hasGrants(id, 2)
    expect(await make.enrollmentOf(id, shop.contactId)).to.include(suspended)
    ok(await tenant.api.put(`/courses/enrollments/${own.id}`, { courses_enrollment: { suspended: false } }))
    await refund(order_id)
    expect((await make.enrollmentOf(id, shop.contactId)).suspended).to.equal(false)
  })

  it('15 6: after a cancellation for the next renewal access ends when what is paid is over; taking it back leaves no gap', async () => {
    const { id } = await make.taught(1)
    const line = await shop.sells(monthly)
    await includes(line, { course_id: id })
    const { order_id } = await shop.buys(line)
    await hasGrants(id, 1)
    const endsAt = async () => (await grants(id))[0]?.ends_at
    const cancel = () => tenant.api.post(`/orders/${order_id}/cancel`, { order: { effective_date: 'next_renewal' } })
    ok(await cancel())
    const { paid_until } = await shop.order(order_id)
    await eventually(async () => expect(await endsAt()).to.equal(paid_until))
    ok(await tenant.api.post(`/orders/${order_id}/reactivate`))
    await eventually(async () => expect(await endsAt()).to.equal(null))
    await shop.passes(40)
    expect(await grants(id)).to.have.length(1)
    ok(await cancel())
    await eventually(async () => expect(await endsAt()).to.be.a('string'))
    await shop.passes(40)
    await hasGrants(id, 0)
    const [{ ended_by }] = (await make.enrollmentOf(id, shop.contactId)).grants
    expect(ended_by).to.equal('cause')
  })

  it('15 7: renewals change neither progress nor the start; a purchase after months without access finds both again', async () => {
    const { id, sections } = await make.taught(3)
    const line = await shop.sells(monthly)
    await includes(line, { course_id: id })
    const { order_id } = await shop.buys(line)
    await hasGrants(id, 1)
    const own = await make.enrollmentOf(id, shop.contactId)
    ok(await make.complete(id, own.id, sections[0]!.lessons[0]!))
    await shop.passes(70)
    expect(await shop.invoices(order_id)).to.have.length(3)
    const before = await make.enrollmentOf(id, shop.contactId)
    expect(before).to.include({ id: own.id, created_at: own.created_at, progress_percent: 33 })
    expect(before.grants).to.deep.equal(own.grants)
    ok(await tenant.api.post(`/orders/${order_id}/cancel`, { order: { effective_date: 'now' } }))
    await hasGrants(id, 0)
    await shop.passes(100)
    await shop.buys(line)
    await hasGrants(id, 1)
    const again = await make.enrollmentOf(id, shop.contactId)
    expect(again).to.include({ id: own.id, created_at: own.created_at, progress_percent: 33 })
  })

  it('15 9: changing what a variant grants changes later purchases only', async () => {
    const [one, other] = [await make.taught(1, 1), await make.taught(1)]
    const line = await shop.sells(monthly)
    const made = await includes(line, { course_id: one.id })
    await shop.buys(line)
    await hasGrants(one.id, 1)
    const change = (...included_courses_attributes: object[]) =>
      tenant.api.put(`/products/variants/${line.variant_id}`, { products_variant: { included_courses_attributes } })
    ok(await change({ id: made.included_courses[0].id, _destroy: true }, { course_id: other.id }))
    await make.section(one.id)
    await shop.passes(40)
    const [kept] = await grants(one.id)
    expect(kept?.section_ids).to.have.members([one.root, ...one.sections.map((section) => section.id)])
    expect(await grants(other.id)).to.deep.equal([])
    await shop.buys(line)
    await hasGrants(other.id, 1)
    expect(await grants(one.id)).to.have.length(1)
  })

  it('15 9: publishing reaches back where it says so: to all, or to those who bought the whole course', async () => {
    const { id, sections } = await make.taught(1, 1)
    const [whole, part] = [await shop.sells(once), await shop.sells(once)]
    await includes(whole, { course_id: id })
    await includes(part, { course_id: id, section_ids: [sections[0]!.id] })
    await shop.buys(whole)
    const other = await make.contact()
    await shop.buys(part, { contact_id: other })
    await hasGrants(id, 1)
    await eventually(async () => expect(await make.grantsOf(id, other)).to.have.length(1))
    const published = async (fields: object) => {
      const added = await make.section(id)
      await make.lesson(added.id)
      const action = { target_ids: [added.public_id], ...fields }
      ok(await tenant.api.post(`/courses/${id}/sections/publish_actions`, { courses_sections_publish_action: action }))
      return added.id as number
    }
    const has = async (contactId: number, sectionId: number) =>
      (await make.grantsOf(id, contactId)).some(({ section_ids }) => section_ids.includes(sectionId))
    const offered = await published({ offer_new_section_via_all_access_products: true })
    await eventually(async () => expect(await has(shop.contactId, offered)).to.equal(true))
    expect(await has(other, offered)).to.equal(false)
    const toAll = await published({ auto_enroll: true })
    await eventually(async () => expect(await has(other, toAll)).to.equal(true))
    const toNobody = await published({})
    await eventually(async () => {
      const { body } = await tenant.api.get(`/courses/sections/${toNobody}`)
      expect(body.published_at).to.be.a('string')
    })
    expect(await has(shop.contactId, toNobody)).to.equal(false)
  })
})
