import { expect } from 'chai'
import { courseMakers } from '../../support/records/courses.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

describe('courses over REST', () => {
  let service: TestService
  let tenant: Tenant
  before(async () => {
    service = await testService()
  })
  beforeEach(async () => {
    tenant = await service.tenant({ test: true })
  })

  const madeCourse = async (fields: object = { title: 'Throwing mugs' }) =>
    (await tenant.api.post(`/workspaces/${tenant.workspaceId}/courses`, { course: fields })).body
  const section = async (courseId: number, fields: object = { title: 'Clay' }) =>
    (await tenant.api.post(`/courses/${courseId}/sections`, { courses_section: fields })).body
  const lesson = async (sectionId: number, title = 'Wedging') =>
    (await tenant.api.post(`/courses/sections/${sectionId}/lessons`, { courses_lesson: { title } })).body

  it('begin as drafts with a primary module, and with a path of their own', async () => {
    const first = await madeCourse()
    expect(first).to.include({
      published_at: null,
      show_in_community: false,
      show_to_non_members: false,
      redirect_to_full_course: true,
      comments_enabled: false,
      current_path: '/throwing-mugs',
      description: '',
    })
    const { body: sections } = await tenant.api.get(`/courses/${first.id}/sections`)
    expect(
      sections.map(({ id, title, parent_id }: Record<string, unknown>) => [String(id), title, parent_id]),
    ).to.deep.equal([[first.root_section_id, 'Primary module', null]])
    expect((await madeCourse()).current_path).to.match(/^\/throwing-mugs-\w+$/)
  })

  it('have sections and lessons in the order in which they were added', async () => {
    const { id, root_section_id } = await madeCourse()
    const [a, b] = [await section(id), await section(id)]
    expect([a.parent_id, a.sort_order, b.sort_order]).to.deep.equal([root_section_id, 0, 1])
    expect([a.current_path, b.current_path]).to.deep.equal(['/throwing-mugs/clay', '/throwing-mugs/clay-2'])
    const lessons = [await lesson(b.id), await lesson(b.id)]
    expect(lessons.map(({ sort_order }) => sort_order)).to.deep.equal([0, 1])
    expect(lessons.map(({ current_path }) => current_path)).to.deep.equal([
      '/throwing-mugs/clay-2/wedging',
      '/throwing-mugs/clay-2/wedging-2',
    ])
  })

  it('are published now, at a time, or all at once; a time in the past changes nothing', async () => {
    const { id } = await madeCourse()
    const one = await section(id)
    const wedging = await lesson(one.id)
    for (const [published_at, text] of [
      ['2020-01-01T00:00:00Z', /published_at cannot be in the past/],
      ['soon', /published_at is not a valid datetime/],
    ] as const) {
      const refused = await tenant.api.post(`/courses/${id}/publish`, { published_at })
      expect(refused.status).to.equal(422)
      expect(refused.body.error).to.match(text)
    }
    const { body: published } = await tenant.api.post(`/courses/${id}/publish`, {})
    expect(published.published_at).to.be.a('string')
    expect((await tenant.api.get(`/courses/sections/${one.id}`)).body.published_at).to.equal(null)
    const again = await tenant.api.post(`/courses/${id}/publish`, { publish_sections_and_lessons: true })
    expect(again.body.published_at).to.equal(published.published_at)
    for (const path of [`/courses/sections/${one.id}`, `/courses/lessons/${wedging.id}`])
      expect((await tenant.api.get(path)).body.published_at, path).to.be.a('string')
  })

  it('15 8: enroll a contact once; who is enrolled already is refused, and an enrolment that has ended is taken up', async () => {
    const { id } = await madeCourse()
    const { body: contact } = await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, {
      contact: { email_address: 'ada@example.com' },
    })
    const enroll = () =>
      tenant.api.post(`/courses/${id}/enrollments`, { courses_enrollment: { contact_id: contact.id } })
    const first = await enroll()
    expect([first.status, first.body.progress_percent, first.body.contact.email_address]).to.deep.equal([
      201,
      0,
      'ada@example.com',
    ])
    const second = await enroll()
    expect([second.status, second.body.error]).to.deep.equal([
      422,
      'Request unprocessable: Contact is already enrolled in this course',
    ])
    expect((await tenant.api.delete(`/courses/enrollments/${first.body.id}`)).status).to.equal(204)
    const third = await enroll()
    expect([third.status, third.body.id]).to.deep.equal([200, first.body.id])
  })

  it('count what is completed of what is published and granted', async () => {
    const { id } = await madeCourse()
    const one = await section(id)
    const lessons = [await lesson(one.id), await lesson(one.id), await lesson(one.id)]
    await tenant.api.post(`/courses/${id}/publish`, { publish_sections_and_lessons: true })
    const { body: contact } = await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, {
      contact: { email_address: 'ada@example.com' },
    })
    const { body: own } = await tenant.api.post(`/courses/${id}/enrollments`, {
      courses_enrollment: { contact_id: contact.id },
    })
    const complete = (lessonId: number) =>
      tenant.api.post(`/courses/${id}/lesson_completions`, {
        courses_lesson_completion: { enrollment_id: own.id, lesson_id: lessonId },
      })
    const percent = async () => (await tenant.api.get(`/courses/enrollments/${own.id}`)).body.progress_percent
    const first = await complete(lessons[0].id)
    expect(first.status).to.equal(201)
    expect(await percent()).to.equal(33)
    expect((await complete(lessons[0].id)).status).to.equal(409)
    for (const { id: lessonId } of lessons.slice(1)) await complete(lessonId)
    const { body: done } = await tenant.api.get(`/courses/enrollments/${own.id}`)
    expect([done.progress_percent, typeof done.completed_at]).to.deep.equal([100, 'string'])
    expect((await tenant.api.delete(`/courses/lesson_completions/${first.body.id}`)).status).to.equal(204)
    expect(await percent()).to.equal(66)
    const other = await courseMakers['courses/lesson'].make(tenant)
    expect((await complete(other)).status).to.equal(422)
  })

  it('15 16: take no blockers that wait for each other, also when both are set at once', async () => {
    const { id } = await madeCourse()
    const [a, b] = [await section(id), await section(id)]
    const block = (one: number, by: number) =>
      tenant.api.put(`/courses/sections/${one}`, { courses_section: { blocker_section_id: by } })
    const answers = await Promise.all([block(a.id, b.id), block(b.id, a.id)])
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 422])
    const refused = answers.find(({ status }) => status === 422)
    expect(refused?.body.error).to.contain('Blocker section waits for this section itself')
  })

  it('15 17: warn of a blocker of which nothing is published', async () => {
    const { id } = await madeCourse()
    const [first, second] = [await section(id), await section(id)]
    const added = await lesson(first.id)
    await lesson(second.id)
    const path = `/courses/sections/${second.id}`
    await tenant.api.put(path, { courses_section: { blocker_section_id: first.id } })
    await tenant.api.post(`/courses/${id}/publish`, { publish_sections_and_lessons: true })
    const warning = async () => (await tenant.api.get(path)).body.blocker_warning
    expect(await warning()).to.equal(null)
    await tenant.api.delete(`/courses/lessons/${added.id}`)
    expect(await warning()).to.contain('it holds nobody up')
    const contactId = (
      await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, { contact: { first_name: 'Ada' } })
    ).body.id
    const { body } = await tenant.api.post(`/courses/${id}/enrollments`, {
      courses_enrollment: { contact_id: contactId },
    })
    expect(body.unfulfillable_section_ids).to.deep.equal([second.id])
  })
})
