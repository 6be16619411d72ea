import { isClockAdvancing } from '../../../domain/account/public.ts'
import { lesson as lessonModel } from '../../../domain/courses/course/model.ts'
import { completion } from '../../../domain/courses/enrollment/model.ts'
import { coursePath, enrollments, lessonPath } from '../../../domain/courses/public.ts'
import { ask, within } from '../../../domain/kernel/decide/ask.ts'
import { inSlices } from '../../../domain/kernel/values/turns.ts'
import { lessonHtml } from '../../../domain/resources/html/lesson-html.ts'
import { filled } from '../../html/filled.ts'
import { Html, html } from '../../html/html.ts'
import { isInAdvance } from '../../http/programs.ts'
import { form } from '../../page-app/frame.ts'
import { carryOut } from '../carry-out.ts'
import { pictureOf } from '../picture.ts'
import { type Answer, isSignedIn, type MemberRequest, type ReaderRequest, type SignedInRequest } from '../request.ts'
import { signInFor } from '../shell.ts'
import { hooksFor } from '../written.ts'
import { COURSES, reasonOf, upgradeOf } from './course-page.ts'
import { videoIn, videoSources } from './lesson-videos.ts'
import { type Lesson, type OpenCourse, openCourse, type ShownLesson, type ShownSection } from './open-course.ts'

/** Lesson with the course that it is in, as its contact sees them. */
interface Place {
  readonly open: OpenCourse
  readonly section: ShownSection
  readonly shown: ShownLesson
}

const placeOf = async (request: ReaderRequest, lessonId: number): Promise<Place | undefined> => {
  const document = await request.reading.load.one(lessonModel.name, lessonId)
  const open = document && (await openCourse(request, Number(document.course_id)))
  const section = open?.sections.find(({ lessons }) => lessons.some(({ lesson }) => lesson.id === lessonId))
  const shown = section?.lessons.find(({ lesson }) => lesson.id === lessonId)
  return open && section && shown ? { open, section, shown } : undefined
}

/** Returns the content of a lesson as safe HTML, with what its videos are loaded from. */
const contentOf = async (request: ReaderRequest, { lesson_content }: Lesson) => {
  const hooks = hooksFor(request)
  const video = videoIn(request, hooks.base)
  const text = lesson_content ? await lessonHtml(lesson_content, request.service.markdown, { ...hooks, video }) : ''
  return { content: text === '' ? undefined : new Html(text), ...(await inSlices(videoSources(text, hooks.base))) }
}

const pager = ({ words }: MemberRequest, { open, shown }: Place): Html => {
  const all = open.sections.flatMap(({ lessons }) => lessons)
  const at = all.indexOf(shown)
  const linked = (one: ShownLesson | undefined, text: string, rel: string) =>
    one &&
    !one.closed &&
    html`<a href="${lessonPath(one.lesson.id)}" rel="${rel}">${filled(text, { title: one.lesson.title })}</a>`
  return html`<p class="pager">${linked(all[at - 1], words.course.previous, 'prev')} ${linked(all[at + 1], words.course.next, 'next')}</p>`
}

const controls = (request: ReaderRequest, { shown: { lesson, isDone } }: Place): Html => {
  const { words } = request
  const path = lessonPath(lesson.id)
  if (!isSignedIn(request)) return html`<p><a href="${signInFor(path)}">${words.course.signInToComplete}</a></p>`
  const [text, act] = isDone ? [words.course.undo, 'undo'] : [words.course.complete, 'complete']
  const button = html`<button${isDone && html` class="second"`}>${text}</button>`
  return html`<p>${isDone ? words.course.lessonDone : words.course.undone}</p>${form(request, `${path}/${act}`, button)}`
}

/** Says why a lesson is closed, and nothing of what is in it. */
const closedPage = (request: ReaderRequest, { open, section, shown }: Place): Answer => {
  const upgrade = shown.closed?.because === 'not_granted' ? upgradeOf(request, open, section) : undefined
  return {
    status: 403,
    title: request.words.course.locked,
    within: COURSES,
    body: html`<p>${reasonOf(request, shown, open)} ${upgrade}</p>${backTo(request, open)}`,
  }
}

const backTo = ({ words }: MemberRequest, { course }: OpenCourse): Html =>
  html`<p><a href="${coursePath(course.id)}">${filled(words.course.back, { title: course.title })}</a></p>`

/** Counts a view by somebody who is signed in, unless a browser only loads the page in advance. */
const count = async (request: ReaderRequest, { open, shown }: Place): Promise<void> => {
  const { ctx, viewer, service } = request
  if (!viewer.session || ctx.method !== 'GET' || isInAdvance(ctx)) return
  try {
    await carryOut(request, ask(enrollments, open.enrollment.id, 'viewLesson', { lesson_id: shown.lesson.id }))
  } catch (error) {
    if (isClockAdvancing(error)) throw error
    service.logger.warn({ err: error, request_id: ctx.state.requestId }, 'the view of a lesson was not recorded')
  }
}

/** Shows a lesson, if it is open. */
export const showLesson = async (request: ReaderRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const place = await placeOf(request, id)
  if (!place) return undefined
  const { lesson, closed } = place.shown
  if (closed) return closedPage(request, place)
  const [picture, { content, ...loaded }] = await Promise.all([pictureOf(request, lesson), contentOf(request, lesson)])
  await count(request, place)
  return {
    title: lesson.title,
    within: COURSES,
    ...loaded,
    body: html`${picture}${lesson.body && html`<p class="text">${lesson.body}</p>`}${content}
${controls(request, place)}${pager(request, place)}${backTo(request, place.open)}`,
  }
}

/** Completes a lesson that is open. One that is completed stays so. */
export const complete = async (request: SignedInRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const place = await placeOf(request, id)
  if (!place) return undefined
  if (place.shown.closed) return closedPage(request, place)
  const { enrollment } = place.open
  const completions = within(enrollments, enrollment.id, completion)
  const refused = place.shown.isDone
    ? undefined
    : await carryOut(request, (mint) =>
        ask(completions, mint(completion), 'create', { lesson_id: id, by_member: true }),
      )
  if (refused && refused.kind !== 'conflict') throw refused
  return { to: lessonPath(id) }
}

/** Takes the completion of a lesson back that is open. */
export const undo = async (request: SignedInRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const place = await placeOf(request, id)
  if (!place) return undefined
  if (place.shown.closed) return closedPage(request, place)
  const { enrollment, completions } = place.open
  const done = completions.find(({ lesson_id }) => lesson_id === id)
  const refused =
    done && (await carryOut(request, ask(within(enrollments, enrollment.id, completion), done.id, 'remove', {})))
  if (refused && refused.kind !== 'notFound') throw refused
  return { to: lessonPath(id) }
}
