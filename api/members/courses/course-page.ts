import { enrollment } from '../../../domain/courses/enrollment/model.ts'
import { coursePath, isInForce, lessonPath } from '../../../domain/courses/public.ts'
import { inStretches, readOn } from '../../../domain/kernel/ports/read-on.ts'
import { filled } from '../../html/filled.ts'
import { type Html, html } from '../../html/html.ts'
import { pictureOf } from '../picture.ts'
import type { Answer, MemberRequest, ReaderRequest, SignedInRequest } from '../request.ts'
import { shownTime } from '../shell.ts'
import { type OpenCourse, openCourse, type ShownLesson, type ShownSection } from './open-course.ts'
import { showOutside } from './outside-page.ts'

/** Courses that are listed, and enrolments that are looked at together. */
export const MOST_COURSES = 200
const AT_ONCE = 50

export const COURSES = '/members/courses'

/** Returns why a lesson is closed, in words: when it opens, or after what. */
export const reasonOf = (request: MemberRequest, { closed }: ShownLesson, { sections }: OpenCourse): string => {
  const { words } = request
  if (!closed) return ''
  if (closed.because === 'drip') return filled(words.course.opensAt, { time: shownTime(request, closed.opens_at) })
  if (closed.because !== 'blocker')
    return closed.because === 'suspended' ? words.course.suspended : words.course.notIncluded
  const all = sections.flatMap(({ lessons }) => lessons.map(({ lesson }) => lesson))
  const lesson = all.find(({ id }) => id === closed.lesson_id)
  const section = sections.find((one) => one.section.id === closed.section_id)?.section
  return [
    ...(lesson ? [filled(words.course.afterLesson, { title: lesson.title })] : []),
    ...(section ? [filled(words.course.afterSection, { title: section.title })] : []),
  ].join(' ')
}

/** Returns a link to what gives access to a section that the contact does not have. */
export const upgradeOf = (
  { words }: MemberRequest,
  { course }: OpenCourse,
  { section }: ShownSection,
): Html | undefined => {
  const url = section.upgrade_url ?? course.upgrade_url
  return url === null ? undefined : html`<a href="${url}" rel="noreferrer">${words.course.upgrade}</a>`
}

const entryOf = (request: MemberRequest, open: OpenCourse, one: ShownLesson): Html => {
  const { lesson, closed, isDone } = one
  const done = isDone && html` <span class="quiet">(${request.words.course.lessonDone})</span>`
  return closed
    ? html`<li class="item">${lesson.title}${done}<br><span class="quiet">${reasonOf(request, one, open)}</span></li>`
    : html`<li class="item"><a href="${lessonPath(lesson.id)}">${lesson.title}</a>${done}</li>`
}

const sectionOf = (request: MemberRequest, open: OpenCourse, one: ShownSection): Html => {
  const { section, lessons } = one
  const isMissing = lessons.some(({ closed }) => closed?.because === 'not_granted')
  const upgrade = isMissing ? upgradeOf(request, open, one) : undefined
  return html`<h2>${section.title}</h2>${section.description && html`<p class="text">${section.description}</p>`}<ol class="plain">${lessons.map((each) => entryOf(request, open, each))}</ol>${upgrade && html`<p>${upgrade}</p>`}`
}

const progressOf = ({ words }: MemberRequest, { access }: OpenCourse): Html => {
  const percent = access.progress
  return html`<p><label for="progress">${filled(words.course.progress, { percent })}</label> <progress id="progress" max="100" value="${percent}"></progress></p>`
}

/** Returns what is to be said of an enrolment as a whole. */
const standingOf = (
  { words, at }: MemberRequest,
  { enrollment: { suspended, grants } }: OpenCourse,
): string | undefined => {
  if (!grants.some((one) => isInForce(one, at))) return words.course.ended
  return suspended ? words.course.suspended : undefined
}

/** Shows a course with its sections and lessons. */
export const showCourse = async (request: ReaderRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const open = await openCourse(request, id)
  if (!open) return showOutside(request, id)
  const { course, sections, access } = open
  const { words } = request
  const standing = standingOf(request, open)
  const picture = await pictureOf(request, course)
  return {
    title: course.title,
    within: COURSES,
    body: html`${standing !== undefined && html`<p class="notice">${standing}</p>`}${picture}${course.description && html`<p class="text">${course.description}</p>`}
${access.isCompleted && html`<p>${words.course.completed}</p>`}${progressOf(request, open)}
${sections.length === 0 ? html`<p>${words.course.noLessons}</p>` : sections.map((one) => sectionOf(request, open, one))}`,
  }
}

/** Lists the courses of a contact. */
export const showCourses = async (request: SignedInRequest): Promise<Answer> => {
  const { service, viewer, words } = request
  const query = { where: { contact_id: viewer.contact.id }, limit: AT_ONCE }
  const enrolments = inStretches((next) => service.everywhere.find(enrollment.name, next), query)
  const courses = await readOn(enrolments, MOST_COURSES, async (some) => {
    const all = await Promise.all(some.map(({ course_id }) => openCourse(request, Number(course_id))))
    return all.filter((one) => one !== undefined)
  })
  const items = courses.map((open) => {
    const { course, access } = open
    const state = standingOf(request, open) ?? filled(words.course.progress, { percent: access.progress })
    return html`<li class="item"><a href="${coursePath(course.id)}">${course.title}</a><br><span class="quiet">${state}</span></li>`
  })
  return {
    title: words.courses,
    within: COURSES,
    body: items.length === 0 ? html`<p>${words.course.none}</p>` : html`<ul class="plain">${items}</ul>`,
  }
}
