import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { coursesOf } from '../../support/courses.ts'
import { eventually } from '../../support/eventually.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'

const HOUR = 60 * 60 * 1000

describe('publishing of courses', () => {
  let service: TestService
  let tenant: Tenant
  let make: ReturnType<typeof coursesOf>
  before(async () => {
    service = await testService()
  })
  beforeEach(async () => {
    tenant = await service.tenant({ test: true })
    make = coursesOf(tenant)
  })

  const clock = () => `/workspaces/${tenant.workspaceId}/test_clock`
  const inHours = async (hours: number) =>
    new Date(Date.parse(ok(await tenant.api.get(clock())).now) + hours * HOUR).toISOString()
  const passes = async (hours: number) => {
    ok(await tenant.api.post(clock(), { to: await inHours(hours) }))
    await eventually(async () => expect(ok(await tenant.api.get(clock())).state).not.to.equal('advancing'))
  }
  const publish = async (path: string, published_at?: string) =>
    ok(await tenant.api.post(`${path}/publish`, published_at === undefined ? {} : { published_at }))
  /** Times at which a public event about a record was published. */
  const publishedAt = async (key: string, id: number): Promise<readonly string[]> => {
    await waitUntilSettled(service)
    const events = ok(await tenant.api.get(`/workspaces/${tenant.workspaceId}/webhooks/outgoing/events`))
    const own = events.filter((one: { event_type_id: string; data?: { id?: number } }) => one.event_type_id === key)
    return own
      .filter((one: { data?: { id?: number } }) => one.data?.id === id)
      .map((one: { created_at: string }) => one.created_at)
  }
  const listening = async (...event_type_ids: readonly string[]) =>
    ok(
      await tenant.api.post(`/workspaces/${tenant.workspaceId}/webhooks/outgoing/endpoints`, {
        webhooks_outgoing_endpoint: { url: 'https://hooks.example.com/', name: 'Hooks', event_type_ids },
      }),
    )

  it('15 25: does nothing at a time that was changed, and nothing more at one before which it was published by hand', async () => {
    await listening('$courses.lesson_published')
    const { sections } = await make.taught(0)
    const [moved, early] = [await make.lesson(sections[0]!.id), await make.lesson(sections[0]!.id)]
    await publish(`/courses/lessons/${moved.id}`, await inHours(1))
    await publish(`/courses/lessons/${early.id}`, await inHours(1))
    const last = await inHours(3)
    await publish(`/courses/lessons/${moved.id}`, last)
    await publish(`/courses/lessons/${early.id}`)
    const stamp = ok(await tenant.api.get(`/courses/lessons/${early.id}`)).published_at
    await passes(2)
    expect(await publishedAt('$courses.lesson_published', moved.id)).to.have.length(0)
    expect(await publishedAt('$courses.lesson_published', early.id)).to.have.length(1)
    expect(ok(await tenant.api.get(`/courses/lessons/${early.id}`)).published_at).to.equal(stamp)
    await passes(2)
    expect(await publishedAt('$courses.lesson_published', moved.id)).to.have.length(1)
  })

  it('15 12: with a later date takes away what was published until then; completions stay, and it is published again', async () => {
    await listening('$courses.lesson_published')
    const { id, sections } = await make.taught(2)
    const [lesson] = sections[0]!.lessons
    const own = ok(await make.enroll(id, await make.contact())).id
    ok(await make.complete(id, own, lesson!))
    const percent = async () => ok(await tenant.api.get(`/courses/enrollments/${own}`)).progress_percent
    const [again, later] = [await publish(`/courses/lessons/${lesson}`), await inHours(2)]
    expect(await publishedAt('$courses.lesson_published', lesson!)).to.have.length(1)
    expect(again.published_at < later).to.equal(true)
    expect(await percent()).to.equal(50)
    await publish(`/courses/lessons/${lesson}`, later)
    expect(await percent()).to.equal(0)
    await passes(3)
    expect(await percent()).to.equal(50)
    expect(await publishedAt('$courses.lesson_published', lesson!)).to.have.length(2)
  })

  it('15 26: shows at every read what is published then, also from caches and as of a time', async () => {
    const { id, sections } = await make.taught(1)
    const own = ok(await make.enroll(id, await make.contact())).id
    ok(await make.complete(id, own, sections[0]!.lessons[0]!))
    const added = await make.lesson(sections[0]!.id)
    await publish(`/courses/lessons/${added.id}`, await inHours(1))
    const path = `/courses/enrollments/${own}`
    const percents = [ok(await tenant.api.get(path)).progress_percent, ok(await tenant.api.get(path)).progress_percent]
    expect(percents).to.deep.equal([100, 100])
    const before = await inHours(0)
    await passes(2)
    expect(ok(await tenant.api.get(path)).progress_percent).to.equal(50)
    expect(ok(await tenant.api.get(`${path}?as_of=${before}`)).progress_percent).to.equal(100)
  })

  it('15 28: takes a date with an offset for the instant that it is, whatever it is compared with', async () => {
    const { id } = await make.course()
    const due = new Date(Date.parse(await inHours(2)))
    const inTokyo = new Date(due.getTime() + 9 * HOUR).toISOString().replace(/\.\d+Z$/, '+09:00')
    expect((await publish(`/courses/${id}`, inTokyo)).published_at).to.equal(
      due.toISOString().replace(/\.\d+Z$/, '.000Z'),
    )
    const past = new Date(Date.parse(await inHours(-1)) + 9 * HOUR).toISOString().replace(/\.\d+Z$/, '+09:00')
    expect((await tenant.api.post(`/courses/${id}/publish`, { published_at: past })).status).to.equal(422)
  })

  const actions = (courseId: number) => `/courses/${courseId}/sections/publish_actions`
  const queue = async (courseId: number, fields: object) =>
    ok(await tenant.api.post(actions(courseId), { courses_sections_publish_action: fields }))

  it('15 30: an action that is scheduled is called off by deleting it; what a launch has stamped stays', async () => {
    const { id } = await make.course()
    const { id: section } = await make.section(id)
    const { id: lesson } = await make.lesson(section)
    const launch = await inHours(1)
    ok(await tenant.api.post(`/courses/${id}/publish`, { published_at: launch, publish_sections_and_lessons: true }))
    const action = await queue(id, { target_all: true, scheduled_for: await inHours(2) })
    expect(action.status).to.equal('scheduled')
    ok(await tenant.api.delete(`/courses/sections/publish_actions/${action.id}`))
    for (const path of [`/courses/${id}`, `/courses/sections/${section}`, `/courses/lessons/${lesson}`])
      expect(ok(await tenant.api.get(path)).published_at, path).to.equal(launch)
    const { id: other } = await make.section(id)
    const called = await queue(id, {
      target_ids: [(await tenant.api.get(`/courses/sections/${other}`)).body.public_id],
      scheduled_for: await inHours(2),
    })
    ok(await tenant.api.delete(`/courses/sections/publish_actions/${called.id}`))
    await passes(3)
    expect(ok(await tenant.api.get(`/courses/sections/${other}`)).published_at).to.equal(null)
  })

  it('15 31: an action whose section was published by hand meanwhile completes, and has published no lesson of it', async () => {
    const { id } = await make.course()
    const section = await make.section(id)
    await make.lesson(section.id)
    const action = await queue(id, { target_ids: [section.public_id], scheduled_for: await inHours(2) })
    const stamp = (await publish(`/courses/sections/${section.id}`)).published_at
    await passes(3)
    await eventually(async () => {
      const shown = ok(await tenant.api.get(`/courses/sections/publish_actions/${action.id}`))
      expect(shown).to.include({ status: 'completed', performed_count: 1, published_lessons_count: 0 })
    })
    expect(ok(await tenant.api.get(`/courses/sections/${section.id}`)).published_at).to.equal(stamp)
  })

  it('a section that is taken back by hand stays away from an action that was scheduled before, which says so', async () => {
    const { id } = await make.course()
    const [kept, away] = [await make.section(id), await make.section(id)]
    await publish(`/courses/sections/${away.id}`)
    const action = await queue(id, { target_all: true, scheduled_for: await inHours(2) })
    const last = await inHours(48)
    await passes(1)
    await publish(`/courses/sections/${away.id}`, last)
    await passes(3)
    await eventually(async () => {
      const shown = ok(await tenant.api.get(`/courses/sections/publish_actions/${action.id}`))
      expect(shown).to.deep.include({ status: 'completed', performed_count: 2, failed_ids: [away.id] })
    })
    expect(ok(await tenant.api.get(`/courses/sections/${away.id}`)).published_at).to.equal(last)
    expect(ok(await tenant.api.get(`/courses/sections/${kept.id}`)).published_at).to.be.a('string')
  })

  it('an action publishes sections with their lessons, all at once where the primary module is named, and says when nothing is left', async () => {
    const { id, root_section_id } = await make.course()
    const sections = [await make.section(id), await make.section(id)]
    for (const one of sections) await make.lesson(one.id)
    const root = ok(await tenant.api.get(`/courses/sections/${root_section_id}`))
    const action = await queue(id, { target_ids: [root.public_id] })
    expect(action).to.include({ target_all: true })
    await eventually(async () => {
      const shown = ok(await tenant.api.get(`/courses/sections/publish_actions/${action.id}`))
      expect(shown).to.include({ status: 'completed', published_lessons_count: 2 })
    })
    const again = await tenant.api.post(actions(id), { courses_sections_publish_action: { target_all: true } })
    expect([again.status, again.body.message]).to.deep.equal([200, 'no unpublished course content to publish'])
    const both = { target_all: true, target_ids: [sections[0].public_id] }
    expect((await tenant.api.post(actions(id), { courses_sections_publish_action: both })).status).to.equal(422)
    const elsewhere = await make.section((await make.course()).id)
    const foreign = { target_ids: [elsewhere.public_id] }
    expect((await tenant.api.post(actions(id), { courses_sections_publish_action: foreign })).status).to.equal(422)
    const loud = { target_ids: [sections[0].public_id], send_email: true }
    expect((await tenant.api.post(actions(id), { courses_sections_publish_action: loud })).status).to.equal(422)
  })
})
