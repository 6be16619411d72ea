import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { noticesOf, reached, withheld } from '../../support/notices.ts'
import { advanceBy } from '../../support/populated.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

const DAY = 24 * 60 * 60_000

describe('what those who are enrolled are told by mail', () => {
  let service: TestService
  let tenant: Tenant
  before(async () => {
    service = await testService()
  })
  beforeEach(async () => {
    tenant = await service.tenant({ test: true })
  })

  const posted = async (path: string, body: object) => ok(await tenant.api.post(path, body))
  const notices = () => noticesOf(service, tenant, 'section_published')

  /** Makes a published course with a draft of a section with a lesson, and enrols contacts. */
  const taught = async (names: readonly string[], section: object = {}) => {
    const course = { title: 'Throwing mugs' }
    const { id: courseId } = await posted(`/workspaces/${tenant.workspaceId}/courses`, { course })
    ok(await tenant.api.post(`/courses/${courseId}/publish`))
    const contactIds: number[] = []
    const enrollments: number[] = []
    for (const first_name of names) {
      const contact = { first_name, email_address: `${first_name.toLowerCase()}@secret.example` }
      const { id } = await posted(`/workspaces/${tenant.workspaceId}/contacts`, { contact })
      contactIds.push(Number(id))
      const courses_enrollment = { contact_id: Number(id) }
      enrollments.push(Number((await posted(`/courses/${courseId}/enrollments`, { courses_enrollment })).id))
    }
    const added = async (fields: object) => {
      const courses_section = { title: 'Handles', ...fields }
      const { id } = await posted(`/courses/${courseId}/sections`, { courses_section })
      await posted(`/courses/sections/${id}/lessons`, { courses_lesson: { title: 'Pulling' } })
      return Number(id)
    }
    const sectionId = await added(section)
    return { courseId: Number(courseId), sectionId, contactIds, enrollments, added }
  }

  const publish = async (courseId: number, fields: object) =>
    posted(`/courses/${courseId}/sections/publish_actions`, {
      courses_sections_publish_action: { auto_enroll: true, send_email: true, ...fields },
    })

  it('15 29: of a new section who may open it when the mail goes: nobody suspended, nor whom a drip keeps out', async () => {
    const { courseId, sectionId, contactIds, enrollments } = await taught(['Ada', 'Bob'])
    ok(
      await tenant.api.put(`/courses/enrollments/${enrollments[1]}`, {
        courses_enrollment: { suspended: true },
      }),
    )
    await publish(courseId, { target_ids: [sectionId] })
    const told = await notices()
    expect(reached(told)).to.deep.equal([contactIds[0]])
    expect(withheld(told)).to.deep.equal({ [contactIds[1]!]: 'no_access' })
    expect(told[0]?.kept?.subject).to.equal('New in Throwing mugs')
    expect(told[0]?.kept?.text).to.contain('Handles').and.contain('Hello Ada,')
    expect(told[0]?.kept?.headers).to.deep.equal({ 'Auto-Submitted': 'auto-generated' })
    const dripping = await taught(['Cy'], { days_till_drip_access: 3 })
    await publish(dripping.courseId, { target_ids: [dripping.sectionId] })
    expect(withheld(await notices())[dripping.contactIds[0]!]).to.equal('no_access')
  })

  it('15 31: mails nobody twice of a section that was published before', async () => {
    const { courseId, sectionId, contactIds } = await taught(['Ada'])
    await publish(courseId, { target_ids: [sectionId] })
    await service.caughtUp()
    await publish(courseId, { target_ids: [sectionId] })
    expect(reached(await notices())).to.deep.equal(contactIds)
  })

  it('15 29: mails nobody of a section that was taken back meanwhile, of one that is not published, or without being asked to', async () => {
    const { courseId, sectionId, added } = await taught(['Ada'])
    await publish(courseId, { target_ids: [sectionId], send_email: false })
    expect(await notices()).to.deep.equal([])
    const later = await added({ title: 'Lids' })
    const scheduled_for = new Date(Date.now() + DAY).toISOString()
    const { id } = await publish(courseId, { target_ids: [later], scheduled_for })
    await service.caughtUp()
    expect(await notices()).to.deep.equal([])
    ok(await tenant.api.delete(`/courses/sections/publish_actions/${id}`))
    await advanceBy(tenant, 2 * DAY)
    expect(await notices()).to.deep.equal([])
  })

  it('mails of a scheduled action at its time, once', async () => {
    const { courseId, sectionId, contactIds } = await taught(['Ada'])
    await publish(courseId, { target_ids: [sectionId], scheduled_for: new Date(Date.now() + DAY).toISOString() })
    await advanceBy(tenant, 3 * DAY)
    expect(reached(await notices())).to.deep.equal(contactIds)
  })
})
