import type { Tenant } from '../service.ts'
import { contact } from './contact.ts'
import { creatable, inWorkspace, unique } from './making.ts'

const course = creatable(async () => ({ title: unique('Throwing mugs') }), inWorkspace('/courses'), 'course')
/** One record of each tenant, made when it is first asked for. */
const oncePer = <T>(make: (tenant: Tenant) => Promise<T>) => {
  const made = new WeakMap<Tenant, Promise<T>>()
  return (tenant: Tenant): Promise<T> => {
    const known = made.get(tenant) ?? make(tenant)
    made.set(tenant, known)
    return known
  }
}

/** Course of which all sections, lessons and enrolments are: blockers and completions name those of the same course. */
const ownCourse = oncePer((tenant) => course.make(tenant))
const ownSection = oncePer(
  async (tenant) => (await tenant.api.get(`/courses/${await ownCourse(tenant)}`)).body.root_section_id as number,
)
const section = {
  ...creatable(
    async () => ({ title: unique('Clay') }),
    async (tenant) => `/courses/${await ownCourse(tenant)}/sections`,
    'courses_section',
  ),
  owner: ownCourse,
}
const lesson = {
  ...creatable(
    async () => ({ title: unique('Wedging'), lesson_content: '# Wedging' }),
    async (tenant) => `/courses/sections/${await ownSection(tenant)}/lessons`,
    'courses_lesson',
  ),
  owner: async (tenant: Tenant) => Number(await ownSection(tenant)),
}
const enrollment = {
  ...creatable(
    async (tenant) => ({ contact_id: await contact.make(tenant) }),
    async (tenant) => `/courses/${await ownCourse(tenant)}/enrollments`,
    'courses_enrollment',
  ),
  owner: ownCourse,
}
const completion = {
  ...creatable(
    async (tenant) => ({ enrollment_id: await enrollment.make(tenant), lesson_id: await lesson.make(tenant) }),
    async (tenant) => `/courses/${await ownCourse(tenant)}/lesson_completions`,
    'courses_lesson_completion',
  ),
  owner: ownCourse,
}
const publishAction = {
  ...creatable(
    async (tenant) => ({ target_ids: [await section.make(tenant)] }),
    async (tenant) => `/courses/${await ownCourse(tenant)}/sections/publish_actions`,
    'courses_sections_publish_action',
  ),
  owner: ownCourse,
}
const enrollAction = creatable(
  async (tenant) => ({ course_ids: [await course.make(tenant)], target_ids: [await contact.make(tenant)] }),
  inWorkspace('/contacts/enroll_actions'),
  'contacts_enroll_action',
)

export const courseMakers = {
  course,
  'courses/section': section,
  'courses/lesson': lesson,
  'courses/enrollment': enrollment,
  'courses/lesson_completion': completion,
  'courses/sections/publish_action': publishAction,
  'contacts/enroll_action': enrollAction,
}
