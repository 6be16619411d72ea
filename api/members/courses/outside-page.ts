import { loadContents } from '../../../domain/courses/public.ts'
import { isAt } from '../../../domain/kernel/decide/bound-reader.ts'
import { isLive } from '../../../domain/resources/publishing.ts'
import { html } from '../../html/html.ts'
import type { Answer, ReaderRequest } from '../request.ts'
import { asRead } from './open-course.ts'

/**
 * Shows a course to who has never been enrolled: its sections without their lessons, if others may see these, or the place where its staff leads others. By
 * default there is no such page for them.
 */
export const showOutside = async ({ reading, site, at, words }: ReaderRequest, courseId: number): Promise<Answer> => {
  const contents = await loadContents(courseId, reading.load)
  if (!contents || !isAt(site, contents.course) || !isLive(contents.course, at)) return undefined
  const { course, sections } = contents
  if (course.unauthorized_redirect_url !== null) return { to: course.unauthorized_redirect_url }
  if (!course.show_to_non_members) return undefined
  const shown = sections
    .filter((one) => one.is_hidden_from_non_members === false && (one.parent_id === null || isLive(one, at)))
    .toSorted(asRead)
    .map(({ title, description }) => html`<h2>${title}</h2>${description && html`<p class="text">${description}</p>`}`)
  return {
    title: course.title,
    body: html`${course.description && html`<p class="text">${course.description}</p>`}<p class="notice">${words.course.notIncluded}${course.upgrade_url !== null && html` <a href="${course.upgrade_url}" rel="noreferrer">${words.course.upgrade}</a>`}</p>${shown}`,
  }
}
