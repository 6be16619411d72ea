import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { coursesOf } from '../../support/courses.ts'
import { eventually, until } from '../../support/eventually.ts'
import { hostOf, type MemberBrowser, memberBrowser, signedIn } from '../../support/member.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { workflowOf } from '../workflows/making.ts'
import { addTags, enrolling } from '../workflows/runs/enrolled.ts'

const DAY_MS = 24 * 60 * 60_000
const SECRET = 'The whole secret of glazing'

describe('courses on the members’ side', () => {
  let service: TestService
  let tenant: Tenant
  let make: ReturnType<typeof coursesOf>
  let member: MemberBrowser
  let contactId: number
  let people = 0

  before(async () => {
    service = await testService()
    tenant = await service.tenant({ test: true })
    make = coursesOf(tenant)
  })
  beforeEach(async () => {
    const email_address = `pupil${++people}@far.example`
    const path = `/workspaces/${tenant.workspaceId}/contacts`
    contactId = Number(ok(await tenant.api.post(path, { contact: { email_address } })).id)
    await service.caughtUp()
    member = await signedIn(service, tenant, email_address)
  })

  /** A published course of a section with lessons, in which the contact is enrolled. */
  const taught = async (lessons: number, { section: fields = {}, enrolled = true } = {}) => {
    const { id } = await make.course()
    const section = await make.section(id, fields)
    const made: number[] = []
    for (let next = 1; next <= lessons; next++)
      made.push((await make.lesson(section.id, { title: `Lesson ${next}`, lesson_content: `# ${SECRET} ${next}` })).id)
    await make.publish(id)
    const enrollment = enrolled ? ok(await make.enroll(id, contactId)) : undefined
    await service.caughtUp()
    return { id: id as number, section: section.id as number, lessons: made, enrollment: Number(enrollment?.id) }
  }
  const lessonAt = (id: number | undefined) => `/members/lessons/${id}`
  const advance = async (ms: number) => {
    const clock = `/workspaces/${tenant.workspaceId}/test_clock`
    const { now } = ok(await tenant.api.get(clock))
    ok(await tenant.api.post(clock, { to: new Date(Date.parse(now) + ms).toISOString() }))
    await until(async () => ok(await tenant.api.get(clock)).state === 'ready')
  }
  const eventsOf = async (type: string) => {
    let count = 0
    for await (const event of service.background.stores.log.readAll({ after: -1 })) if (event.type === type) count++
    return count
  }
  const completed = async (courseId: number) =>
    ok(await tenant.api.get(`/courses/${courseId}/lesson_completions`)).map(
      (one: { readonly lesson_id: number }) => one.lesson_id,
    ) as readonly number[]

  it('have lessons with uploaded videos, of which players load parts by a link of their own', async () => {
    const file = await recordMakers.download!.make(tenant)
    const { file_url } = ok(await tenant.api.get(`/downloads/${file}`))
    const [lesson] = (await taught(1)).lessons
    const lesson_content = `<video src="${String(file_url).replaceAll('&', '&amp;')}"/>`
    ok(await tenant.api.put(`/courses/lessons/${lesson}`, { courses_lesson: { lesson_content } }))
    await service.caughtUp()
    const { text, headers } = await member.get(lessonAt(lesson))
    const [, source = ''] = /<video src="(\/downloads\/[^"]+)"/.exec(text) ?? []
    expect(headers['content-security-policy']).to.contain(`media-src http://${member.host}`)
    const path = source.replaceAll('&amp;', '&')
    const whole = await member.get(path)
    const part = await member.get(path, { range: 'bytes=1-2' })
    expect([whole.status, part.status, part.text]).to.deep.equal([200, 206, whole.text.slice(1, 3)])
    expect(part.headers['content-range']).to.match(/^bytes 1-2\//)
  })

  it('lists the courses of the contact, and leads to lessons, to the next one and back', async () => {
    const { id, lessons } = await taught(2)
    const list = await member.get('/members/courses')
    expect(list.text).to.contain(`href="/members/courses/${id}"`).and.contain('0 % completed')
    const course = await member.get(`/members/courses/${id}`)
    for (const lesson of lessons) expect(course.text).to.contain(`href="${lessonAt(lesson)}"`)
    const first = await member.get(lessonAt(lessons[0]))
    expect(first.text)
      .to.contain(`<h1>${SECRET} 1</h1>`)
      .and.contain(`href="${lessonAt(lessons[1])}" rel="next"`)
    const second = await member.get(lessonAt(lessons[1]))
    expect(second.text).to.contain(`href="${lessonAt(lessons[0])}" rel="prev"`)
    const enrollment = await make.enrollmentOf(id, contactId)
    expect(enrollment.current_path).to.equal(`/members/courses/${id}`)
  })

  it('15 10 13: a lesson that opens later says when, and shows nothing of its text, on its page and by any link', async () => {
    const { id, lessons } = await taught(1, { section: { days_till_drip_access: 3 } })
    const course = await member.get(`/members/courses/${id}`)
    expect(course.text)
      .to.match(/Opens on \w+ \d+, \d{4}/)
      .and.not.contain(`href="${lessonAt(lessons[0])}"`)
    const page = await member.get(lessonAt(lessons[0]))
    expect(page.status).to.equal(403)
    expect(page.text)
      .to.match(/Opens on \w+ \d+, \d{4}/)
      .and.not.contain(SECRET)
    await advance(3 * DAY_MS)
    expect((await member.get(lessonAt(lessons[0]))).text).to.contain(SECRET)
  })

  it('15 10: a lesson that waits for another one says for which, and is not linked from that', async () => {
    const { id, section, lessons } = await taught(1)
    const later = await make.section(id, { title: 'Later', blocker_section_id: section })
    const blocked = await make.lesson(later.id, { title: 'Blocked', lesson_content: SECRET })
    await make.publish(id)
    await tenant.api.post(`/courses/${id}/sections/publish_actions`, {
      courses_sections_publish_action: { target_ids: [later.id], auto_enroll: true },
    })
    await eventually(async () => expect((await member.get(lessonAt(blocked.id))).status).to.equal(403))
    const page = await member.get(lessonAt(blocked.id))
    expect(page.text).to.contain('Opens when you have completed all lessons of “Clay”').and.not.contain(SECRET)
    expect((await member.get(lessonAt(lessons[0]))).text).to.not.contain('rel="next"')
    expect((await member.submit(lessonAt(lessons[0]), `${lessonAt(lessons[0])}/complete`)).status).to.equal(303)
    expect((await member.get(lessonAt(blocked.id))).text).to.contain(SECRET)
    expect((await member.get(lessonAt(lessons[0]))).text).to.contain(`href="${lessonAt(blocked.id)}" rel="next"`)
  })

  it('15 11: what is not published with its section and course is not there', async () => {
    const { id, section } = await taught(1)
    const draft = await make.lesson(section, { title: 'Draft of a lesson', lesson_content: SECRET })
    await service.caughtUp()
    expect((await member.get(lessonAt(draft.id))).status).to.equal(404)
    expect((await member.get(`/members/courses/${id}`)).text).to.not.contain('Draft of a lesson')
    const hidden = await make.course({ title: 'Course in the making' })
    ok(await make.enroll(hidden.id, contactId))
    await service.caughtUp()
    expect((await member.get(`/members/courses/${hidden.id}`)).status).to.equal(404)
    expect((await member.get('/members/courses')).text).to.not.contain('Course in the making')
  })

  it('15 10: who is not enrolled, or no longer, or suspended, reads nothing', async () => {
    const other = await taught(1, { enrolled: false })
    expect((await member.get(`/members/courses/${other.id}`)).status).to.equal(404)
    expect((await member.get(lessonAt(other.lessons[0]))).status).to.equal(404)
    const { id, lessons, enrollment } = await taught(1)
    const suspend = (suspended: boolean) =>
      tenant.api.put(`/courses/enrollments/${enrollment}`, { courses_enrollment: { suspended } }).then(ok)
    await suspend(true)
    const page = await member.get(lessonAt(lessons[0]))
    expect([page.status, page.text.includes(SECRET)]).to.deep.equal([403, false])
    expect(page.text).to.contain('Your access to this course is suspended')
    await suspend(false)
    ok(await tenant.api.delete(`/courses/enrollments/${enrollment}`))
    expect((await member.get(lessonAt(lessons[0]))).text).to.not.contain(SECRET)
    expect((await member.get(`/members/courses/${id}`)).text).to.contain('Your access to this course has ended')
  })

  it('15 15: what was completed stays readable, whatever drip is set afterwards', async () => {
    const { section, lessons } = await taught(2)
    await member.submit(lessonAt(lessons[0]), `${lessonAt(lessons[0])}/complete`)
    ok(await tenant.api.put(`/courses/sections/${section}`, { courses_section: { days_till_drip_access: 30 } }))
    await service.caughtUp()
    expect((await member.get(lessonAt(lessons[0]))).text).to.contain(SECRET)
    expect((await member.get(lessonAt(lessons[1]))).status).to.equal(403)
  })

  it('15 23: loading completes nothing; the button does, and takes it back', async () => {
    const { id, lessons } = await taught(2)
    const [first] = lessons
    for (let times = 0; times < 3; times++) {
      await member.get(lessonAt(first))
      await member.head(lessonAt(first))
      await member.get(`${lessonAt(first)}/complete`)
    }
    expect(await completed(id)).to.deep.equal([])
    const done = await member.submit(lessonAt(first), `${lessonAt(first)}/complete`)
    expect([done.status, done.headers.location]).to.deep.equal([303, lessonAt(first)])
    expect(await completed(id)).to.deep.equal([first])
    const page = await member.get(lessonAt(first))
    expect(page.text).to.contain('Mark as not completed')
    expect((await member.get(`/members/courses/${id}`)).text).to.contain('50 % completed')
    await member.submit(lessonAt(first), `${lessonAt(first)}/undo`)
    expect(await completed(id)).to.deep.equal([])
  })

  it('15 24: a member completes only what is open, and nothing twice', async () => {
    const locked = await taught(1, { section: { days_till_drip_access: 3 } })
    const { id, lessons } = await taught(1)
    const form_token = /name="form_token" value="([^"]+)"/.exec((await member.get('/members')).text)![1]!
    const post = (lesson: number | undefined, act: string) => member.post(`${lessonAt(lesson)}/${act}`, { form_token })
    expect((await post(locked.lessons[0], 'complete')).status).to.equal(403)
    expect(await completed(locked.id)).to.deep.equal([])
    const other = await taught(1, { enrolled: false })
    expect((await post(other.lessons[0], 'complete')).status).to.equal(404)
    const all = await Promise.all([1, 2, 3].map(() => post(lessons[0], 'complete')))
    expect(all.map(({ status }) => status)).to.deep.equal([303, 303, 303])
    expect(await completed(id)).to.deep.equal(lessons)
    expect((await post(lessons[0], 'undo')).status).to.equal(303)
    expect((await post(lessons[0], 'undo')).status).to.equal(303)
    expect(await completed(id)).to.deep.equal([])
  })

  it('15 87: a link of a mail opens its lesson for reading, and nothing else', async () => {
    const { id, lessons } = await taught(2)
    const host = await hostOf(tenant)
    const { memberLinks } = service.background.core
    const at = service.background.core.now(tenant.workspaceId) / 1000
    const address = `pupil${people}@far.example`
    const link = (path: string, { expires = at + 3600, whose = contactId, to = address } = {}) =>
      memberLinks.pathOf({ kind: 'reading', contactId: whose, path, expires: Math.floor(expires) }, to)
    const opens = async (path: string) => {
      const browser = memberBrowser(service, host)
      const { headers } = await browser.get(path)
      return { browser, at: headers.location ?? '' }
    }
    const { browser, at: shown } = await opens(link(lessonAt(lessons[0])))
    expect(shown).to.equal(lessonAt(lessons[0]))
    const page = await browser.get(shown)
    expect(page.text).to.contain(SECRET).and.contain('Sign in to mark the lesson as completed')
    expect(page.text).to.not.contain('<form').and.not.contain(address)
    for (const other of [
      '/members',
      '/members/courses',
      '/members/orders',
      lessonAt(lessons[1]),
      `/members/courses/${id}`,
    ])
      expect((await browser.get(other)).headers.location, other).to.match(/^\/members\/sign-in/)
    const written = await browser.post(`${shown}/complete`)
    expect(written.headers.location).to.match(/^\/members\/sign-in/)
    expect(await completed(id)).to.deep.equal([])
    const closed = {
      expired: link(lessonAt(lessons[0]), { expires: at - 1 }),
      ofAnotherAddress: link(lessonAt(lessons[0]), { to: 'other@far.example' }),
      changed: link(lessonAt(lessons[0])).replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')),
    }
    for (const [name, path] of Object.entries(closed)) {
      const opened = await opens(path)
      const answer = await opened.browser.get(lessonAt(lessons[0]))
      expect([answer.status, answer.text.includes(SECRET)], name).to.deep.equal([303, false])
    }
    const stranger = await make.contact()
    const theirs = await opens(link(lessonAt(lessons[0]), { whose: stranger, to: 'student.1@example.com' }))
    expect((await theirs.browser.get(lessonAt(lessons[0]))).text).to.not.contain(SECRET)
  })

  it('15 88: a view counts with a session, not for a link of a mail, a prefetch or HEAD, and once in half an hour', async () => {
    const { lessons } = await taught(1)
    const path = lessonAt(lessons[0])
    const before = await eventsOf('LessonViewed')
    await member.head(path)
    await member.get(path, { 'sec-purpose': 'prefetch' })
    expect(await eventsOf('LessonViewed')).to.equal(before)
    for (let times = 0; times < 3; times++) await member.get(path)
    expect(await eventsOf('LessonViewed')).to.equal(before + 1)
    await advance(31 * 60_000)
    await member.get(path)
    expect(await eventsOf('LessonViewed')).to.equal(before + 2)
  })

  it('$course.lesson_view starts the workflows that wait for the lesson', async () => {
    const on = enrolling(tenant)
    const [elsewhere, wanted] = [await taught(1), await taught(1)]
    const tag = await on.make('contacts/tag')
    const workflow = await workflowOf(tenant)
    await workflow.trigger({ event_type_key: '$course.lesson_view', courses_lesson_id: wanted.lessons[0] })
    await workflow.step(addTags(tag))
    ok(await workflow.enable())
    for (const { lessons } of [elsewhere, wanted]) await member.get(lessonAt(lessons[0]))
    await on.runIn(workflow, 'completed')
    expect(await on.tagsOf(contactId)).to.deep.equal([tag])
  })

  it('15 35: two members who ask for the same address get their own, which no cache keeps', async () => {
    const { id } = await taught(1)
    const email_address = `pupil${++people}@far.example`
    ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, { contact: { email_address } }))
    await service.caughtUp()
    const other = await signedIn(service, tenant, email_address)
    const [mine, theirs] = await Promise.all([member.get('/members/courses'), other.get('/members/courses')])
    expect(mine.text).to.contain(`/members/courses/${id}`)
    expect(theirs.text).to.not.contain(`/members/courses/${id}`)
    for (const { headers } of [mine, theirs]) {
      expect(headers['cache-control']).to.equal('private, no-store')
      expect(headers.vary).to.contain('Cookie')
    }
  })

  it('15 36: no page shows an address as it is', async () => {
    const { id, lessons } = await taught(1)
    const address = `pupil${people}@far.example`
    for (const path of [
      '/members',
      '/members/courses',
      `/members/courses/${id}`,
      lessonAt(lessons[0]),
      '/members/orders',
    ])
      expect((await member.get(path)).text, path).to.not.contain(address)
  })

  it('15 38: the picture of a lesson has an address that cannot be guessed, and stands on no page that is closed', async () => {
    const image_id = await recordMakers.image!.make(tenant)
    const { lessons } = await taught(1)
    ok(await tenant.api.put(lessonAt(lessons[0]).replace('/members/', '/courses/'), { courses_lesson: { image_id } }))
    await service.caughtUp()
    const { text } = await member.get(lessonAt(lessons[0]))
    const [, path = ''] = /<img src="(\/images\/\d+\/[A-Za-z0-9]{24}\/large)"/.exec(text) ?? []
    expect((await member.get(path)).status).to.equal(200)
    expect((await member.get(path.replace(/[A-Za-z0-9]{24}/, 'A'.repeat(24)))).status).to.equal(404)
    const locked = await taught(1, { section: { days_till_drip_access: 3 } })
    ok(await tenant.api.put(`/courses/lessons/${locked.lessons[0]}`, { courses_lesson: { image_id } }))
    await service.caughtUp()
    expect((await member.get(lessonAt(locked.lessons[0]))).text).to.not.contain('<img')
  })

  it('shows others what a course holds without its lessons, or leads them elsewhere, if staff says so', async () => {
    const { id, section } = await taught(1, { enrolled: false })
    const path = `/members/courses/${id}`
    const change = async (course: object) => {
      ok(await tenant.api.put(`/courses/${id}`, { course }))
      await service.caughtUp()
    }
    await change({ show_to_non_members: true, upgrade_url: 'https://shop.example/buy' })
    ok(await tenant.api.put(`/courses/sections/${section}`, { courses_section: { is_hidden_from_non_members: false } }))
    await service.caughtUp()
    const { text } = await member.get(path)
    expect(text).to.contain('<h2>Clay</h2>').and.contain('href="https://shop.example/buy"').and.not.contain('Lesson 1')
    await change({ unauthorized_redirect_url: 'https://shop.example/start' })
    expect((await member.get(path)).headers.location).to.equal('https://shop.example/start')
  })
})
