import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { coursesOf } from '../../support/courses.ts'
import { eventually } from '../../support/eventually.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'
import { workflowOf } from '../workflows/making.ts'
import { addTags, type Enrolling, enrolling } from '../workflows/runs/enrolled.ts'

describe('enrolling in courses', () => {
  let service: TestService
  let tenant: Tenant
  let on: Enrolling
  let make: ReturnType<typeof coursesOf>
  let contact: number
  let start: number
  before(async () => {
    service = await testService()
    tenant = await service.tenant({ test: true })
    on = enrolling(tenant)
    make = coursesOf(tenant)
  })
  beforeEach(async () => {
    contact = await make.contact()
    start = await on.make('contacts/tag')
  })

  const enrollAction = (fields: object) =>
    tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts/enroll_actions`, { contacts_enroll_action: fields })
  const publicId = async (id: number) => ok(await tenant.api.get(`/contacts/${id}`)).public_id as string
  const sectionsOf = async (courseId: number) =>
    (await make.grantsOf(courseId, contact)).flatMap(({ section_ids }) => section_ids)

  it('steps of workflows enroll in sections and take them away again; the cause is the run', async () => {
    const { id, sections } = await make.taught(1, 1)
    const [first, second] = sections.map((one) => one.id)
    const workflow = await on.startedBy(
      start,
      { enroll_step: { section_ids: [first] } },
      { enroll_step: { section_ids: [second] } },
    )
    await on.applyTag(contact, start)
    const run = await on.runIn(workflow, 'completed')
    expect(await sectionsOf(id)).to.have.members([first, second])
    expect((await make.grantsOf(id, contact))[0]).to.include({ source_type: 'workflows/run', source_id: run })
    const taking = await on.make('contacts/tag')
    const taken = await on.startedBy(taking, { unenroll_contact_step: { section_ids: [first] } })
    await on.applyTag(contact, taking)
    await on.runIn(taken, 'completed')
    expect(await sectionsOf(id)).to.deep.equal([second])
    const ending = await on.make('contacts/tag')
    const ended = await on.startedBy(ending, { unenroll_contact_step: { course_ids: [id] } })
    await on.applyTag(contact, ending)
    await on.runIn(ended, 'completed')
    expect(await sectionsOf(id)).to.deep.equal([])
  })

  it('a step with courses alone enrolls nobody, as the contract says', async () => {
    const { id } = await make.taught(1)
    const workflow = await on.startedBy(start, { enroll_step: { course_ids: [id] } })
    await on.applyTag(contact, start)
    const run = await on.runIn(workflow, 'completed')
    expect((await on.trace(run)).steps[0]).to.include({ outcome: 'skipped', reason: 'the step names no sections' })
    expect(await make.enrollmentOf(id, contact)).to.equal(undefined)
  })

  for (const [key, condition] of [
    ['$course.enroll', 'course_id'],
    ['$course.unenroll', 'course_id'],
    ['$course.complete', 'course_id'],
    ['$course.lesson_complete', 'courses_lesson_id'],
    ['$course.section_complete', 'courses_section_id'],
  ] as const)
    it(`${key} starts the workflows that wait for it`, async () => {
      const [elsewhere, wanted] = [await make.taught(1), await make.taught(1)]
      const [section] = wanted.sections
      const ids = { course_id: wanted.id, courses_section_id: section!.id, courses_lesson_id: section!.lessons[0] }
      const workflow = await workflowOf(tenant)
      await workflow.trigger({ event_type_key: key, [condition]: ids[condition] })
      await workflow.step(addTags(start))
      ok(await workflow.enable())
      for (const { id, sections } of [elsewhere, wanted]) {
        const own = ok(await make.enroll(id, contact)).id
        ok(await make.complete(id, own, sections[0]!.lessons[0]!))
        ok(await tenant.api.delete(`/courses/enrollments/${own}`))
      }
      await on.runIn(workflow, 'completed')
      expect(await on.tagsOf(contact)).to.include(start)
    })

  it('15 8: 100 grants at once for one contact and course make one enrolment with every cause, and one event', async () => {
    const { id, sections } = await make.taught(1)
    const target_ids = [await publicId(contact)]
    const workflow = await on.startedBy(start, {
      enroll_step: { section_ids: [sections[0]!.id] },
    })
    const requests = Array.from({ length: 99 }, (_, index) =>
      index % 3 === 0 ? make.enroll(id, contact) : enrollAction({ target_ids, course_ids: [id] }),
    )
    const answers = await Promise.all([...requests, on.applyTag(contact, start)])
    const actions = answers.filter((one) => 'body' in one && 'target_count' in one.body).map((one) => one.body.id)
    await on.runIn(workflow, 'completed')
    const causes = () => make.grantsOf(id, contact)
    await eventually(async () => {
      const bySource = (await causes()).filter(({ source_type }) => source_type === 'contacts/enroll_action')
      expect(bySource.map(({ source_id }) => source_id)).to.have.members(actions)
    })
    expect((await causes()).map(({ source_type }) => source_type)).to.include('workflows/run')
    const all = ok(await tenant.api.get(`/courses/${id}/enrollments`))
    expect(all).to.have.length(1)
    await waitUntilSettled(service)
    const log: string[] = []
    const events = service.background.stores.log.readStream(`courses/enrollment-${all[0].id}`)
    for await (const { type } of events) log.push(type)
    expect(log.filter((type) => type === 'ContactEnrolled' || type === 'ContactEnrolledAgain')).to.have.length(1)
  })

  it('15 97: a contact is deleted only when its enrolments have ended; it is erased always', async () => {
    const { id } = await make.taught(1)
    const own = ok(await make.enroll(id, contact)).id
    const refused = await tenant.api.delete(`/contacts/${contact}`)
    expect([refused.status, refused.body.error]).to.deep.equal([
      422,
      'Request unprocessable: Contact cannot be deleted because it is enrolled in a course',
    ])
    ok(await tenant.api.delete(`/courses/enrollments/${own}`))
    ok(await tenant.api.delete(`/contacts/${contact}`))
    const erased = await make.contact()
    const kept = ok(await make.enroll(id, erased)).id
    const suspended = { suspended: true, suspension_reason: 'Ada shared the key' }
    ok(await tenant.api.put(`/courses/enrollments/${kept}`, { courses_enrollment: suspended }))
    ok(await tenant.api.delete(`/contacts/${erased}/gdpr_destroy`))
    await eventually(async () => {
      const { suspension_reason, contact: shown } = await make.enrollmentOf(id, erased)
      expect([suspension_reason, JSON.stringify(shown).includes('student')]).to.deep.equal([null, false])
    })
  })

  it('filters of contacts find who is enrolled in a course, and who is in a community', async () => {
    const { id } = await make.taught(1)
    const ended = await make.contact()
    for (const one of [contact, ended]) ok(await make.enroll(id, one))
    const own = await make.enrollmentOf(id, ended)
    ok(await tenant.api.delete(`/courses/enrollments/${own.id}`))
    const community = await on.make('community')
    ok(
      await tenant.api.post(`/communities/${community}/memberships`, {
        communities_membership: { contact_id: contact },
      }),
    )
    const workspace = `/workspaces/${tenant.workspaceId}`
    const found = async (attribute: string, value: number, clause = 'eq') => {
      const criteria = [
        { attribute, clause, value: [String(value)] },
        { attribute: 'email_address', clause: 'sw', value: 'student' },
      ]
      const { id: filter } = ok(await tenant.api.post(`${workspace}/refine_filters`, { refine_filter: { criteria } }))
      const listed = ok(await tenant.api.get(`${workspace}/contacts?stored_filter_id=${filter}`))
      return listed.map((one: { id: number }) => one.id) as number[]
    }
    expect(await found('courses.id', id)).to.deep.equal([contact])
    expect(await found('courses.id', id, 'dne'))
      .to.include(ended)
      .and.not.to.include(contact)
    expect(await found('communities.id', community)).to.deep.equal([contact])
  })
})
