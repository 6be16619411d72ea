import type { Tenant } from '../service.ts'
import { contact } from './contact.ts'
import { creatable, inWorkspace, unique } from './making.ts'

const course = creatable(async () => ({ title: unique('Throwing mugs') }), inWorkspace('/courses'), 'course')
const section = creatable(
  async () => ({ title: unique('Clay') }),
  async (tenant) => `/courses/${await course.make(tenant)}/sections`,
  'courses_section',
)
const lesson = creatable(
  async () => ({ title: unique('Wedging'), lesson_content: '# Wedging' }),
  async (tenant) => `/courses/sections/${await section.make(tenant)}/lessons`,
  'courses_lesson',
)
const enrollment = creatable(
  async (tenant) => ({ contact_id: await contact.make(tenant) }),
  async (tenant) => `/courses/${await course.make(tenant)}/enrollments`,
  'courses_enrollment',
)

interface Taken {
  readonly courseId: number
  readonly enrollmentId: number
  readonly sectionId: number
}

const take = async (tenant: Tenant): Promise<Taken> => {
  const enrollmentId = await enrollment.make(tenant)
  const courseId: number = (await tenant.api.get(`/courses/enrollments/${enrollmentId}`)).body.course_id
  const sectionId = Number((await tenant.api.get(`/courses/${courseId}`)).body.root_section_id)
  return { courseId, enrollmentId, sectionId }
}

const taken = new WeakMap<Tenant, Promise<Taken>>()
/** Enrolment below whose course all completions are made: lessons of others cannot be completed there. */
const takenOf = (tenant: Tenant): Promise<Taken> => {
  const made = taken.get(tenant) ?? take(tenant)
  taken.set(tenant, made)
  return made
}
const completion = {
  ...creatable(
    async (tenant) => {
      const { enrollmentId: enrollment_id, sectionId } = await takenOf(tenant)
      const sent = { courses_lesson: { title: unique('Glazing') } }
      const { body } = await tenant.api.post(`/courses/sections/${sectionId}/lessons`, sent)
      return { enrollment_id, lesson_id: body.id }
    },
    async (tenant) => `/courses/${(await takenOf(tenant)).courseId}/lesson_completions`,
    'courses_lesson_completion',
  ),
  owner: async (tenant: Tenant) => (await takenOf(tenant)).courseId,
}

export const courseMakers = {
  course,
  'courses/section': section,
  'courses/lesson': lesson,
  'courses/enrollment': enrollment,
  'courses/lesson_completion': completion,
}
