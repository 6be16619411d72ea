import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { coursesOf } from '../../support/courses.ts'
import { eventually } from '../../support/eventually.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, testService } from '../../support/service.ts'

describe('what a variant includes', () => {
  let tenant: Tenant
  let other: Tenant
  let make: ReturnType<typeof coursesOf>
  let variant: number
  before(async () => {
    const service = await testService()
    ;[tenant, other] = [await service.tenant({ test: true }), await service.tenant({ test: true })]
    make = coursesOf(tenant)
  })
  beforeEach(async () => {
    variant = ok(await tenant.api.get(`/products/${await recordMakers.product!.make(tenant)}`)).default_variant_id
  })

  const path = () => `/products/variants/${variant}`
  const change = (...included_courses_attributes: object[]) =>
    tenant.api.put(path(), { products_variant: { included_courses_attributes } })
  const included = async () => ok(await tenant.api.get(path())).included_courses

  it('is a whole course without sections, with every module that it has at the time of reading', async () => {
    const { id, sections } = await make.taught(1, 1)
    const [{ id: entry, ...shown }] = ok(await change({ course_id: id })).included_courses
    expect(entry).to.be.a('number')
    const modules = sections.map((one) => one.id)
    expect(shown).to.deep.equal({ course_id: id, full_access: true, included_section_ids: modules })
    const { id: added } = await make.section(id)
    expect((await included())[0].included_section_ids).to.deep.equal([...modules, added])
  })

  it('is some sections, to which others are added and from which they are taken; that never makes it the whole course', async () => {
    const { id, sections } = await make.taught(0, 0, 0)
    const [a, b, c] = sections.map((one) => one.id)
    const made = await change({ course_id: id, included_sections_attributes: [{ courses_section_id: a }] })
    const [entry] = ok(made).included_courses
    expect(entry).to.deep.include({ full_access: false, included_section_ids: [a] })
    ok(await change({ id: entry.id }))
    expect((await included())[0]).to.deep.equal(entry)
    const more = [{ courses_section_id: b }, { courses_section_id: c }, { id: a, _destroy: true }]
    ok(await change({ id: entry.id, included_sections_attributes: more }))
    expect((await included())[0]).to.deep.equal({ ...entry, included_section_ids: [b, c] })
    const none = [b, c].map((one) => ({ id: one, _destroy: true }))
    expect((await change({ id: entry.id, included_sections_attributes: none })).status).to.equal(422)
    ok(await change({ id: entry.id, _destroy: true }))
    expect(await included()).to.deep.equal([])
  })

  it('are courses and sections of the workspace, each course once', async () => {
    const { id } = await make.taught(0)
    const foreign = await coursesOf(other).taught(0)
    const elsewhere = await make.taught(0)
    const refused = async (...entries: object[]) => {
      const { status, body } = await change(...entries)
      expect(status).to.equal(422)
      expect(body.details[0].field).to.equal('products_variant.included_courses_attributes')
      return body.details[0].code as string
    }
    expect(await refused({ course_id: foreign.id })).to.equal('not_found')
    expect(await refused({ id: 2_000_000_000, _destroy: true })).to.equal('not_found')
    expect(await refused({})).to.equal('not_found')
    for (const wrong of [elsewhere, foreign]) {
      const included_sections_attributes = [{ courses_section_id: wrong.sections[0]!.id }]
      expect(await refused({ course_id: id, included_sections_attributes })).to.equal('not_found')
    }
    expect(await refused({ course_id: id }, { course_id: id })).to.equal('taken')
    expect(await included()).to.deep.equal([])
    const both = ok(await change({ course_id: id }, { course_id: elsewhere.id, _destroy: true }))
    expect(both.included_courses.map((one: { course_id: number }) => one.course_id)).to.deep.equal([id])
  })

  it('is no course any more that was deleted', async () => {
    const [gone, left] = [await make.taught(0), await make.taught(0)]
    ok(await change({ course_id: gone.id }, { course_id: left.id }))
    ok(await tenant.api.delete(`/courses/${gone.id}`))
    await eventually(async () => {
      const ids = (await included()).map((one: { course_id: number }) => one.course_id)
      expect(ids).to.deep.equal([left.id])
    })
  })

  it('keeps a section from being deleted that it includes by itself; with the course it goes', async () => {
    const { id, sections } = await make.taught(0, 0)
    const [sold, free] = sections.map((one) => one.id)
    const [entry] = ok(
      await change({ course_id: id, included_sections_attributes: [{ courses_section_id: sold }] }),
    ).included_courses
    const { name } = ok(await tenant.api.get(path()))
    const { status, body } = await tenant.api.delete(`/courses/sections/${sold}`)
    expect([status, body.details[0].code]).to.deep.equal([422, 'in_use'])
    expect(body.error).to.contain(`Module cannot be deleted: the variant ${name} includes it`)
    expect((await included())[0].included_section_ids).to.deep.equal([sold])
    ok(await tenant.api.delete(`/courses/sections/${free}`))
    ok(await change({ id: entry.id, _destroy: true }))
    ok(await tenant.api.delete(`/courses/sections/${sold}`))
  })
})
