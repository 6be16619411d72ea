import type { Grant } from '../../domain/courses/enrollment/model.ts'
import { type Answer, ok } from './client.ts'
import type { Tenant } from './service.ts'

const created = ({ status, body }: Answer) => {
  if (status !== 201 && status !== 200) throw new Error(`expected 201, got ${status} ${JSON.stringify(body)}`)
  return body
}

let made = 0

/** Makes courses and those who take them, over REST. */
export const coursesOf = ({ api, workspaceId }: Tenant) => {
  const section = async (courseId: number, fields: object = {}) =>
    created(await api.post(`/courses/${courseId}/sections`, { courses_section: { title: 'Clay', ...fields } }))
  const lesson = async (sectionId: number, fields: object = {}) =>
    created(
      await api.post(`/courses/sections/${sectionId}/lessons`, { courses_lesson: { title: 'Wedging', ...fields } }),
    )
  const course = async (fields: object = {}) =>
    created(await api.post(`/workspaces/${workspaceId}/courses`, { course: { title: 'Throwing', ...fields } }))
  const publish = (courseId: number) =>
    api.post(`/courses/${courseId}/publish`, { publish_sections_and_lessons: true }).then(ok)
  const enrollmentOf = async (courseId: number, contactId: number) =>
    ok(await api.get(`/courses/${courseId}/enrollments?filter[contact_id]=${contactId}`))[0]
  const notEnded = (one: { readonly grants?: readonly Grant[] } | undefined) =>
    (one?.grants ?? []).filter(({ ended_at }) => ended_at === null)
  return {
    section,
    lesson,
    course,
    publish,
    contact: async () =>
      created(
        await api.post(`/workspaces/${workspaceId}/contacts`, {
          contact: { email_address: `student.${++made}@example.com` },
        }),
      ).id as number,
    /** A published course with sections of as many lessons. */
    async taught(...lessons: readonly number[]) {
      const { id, root_section_id } = await course()
      const sections: { readonly id: number; readonly lessons: readonly number[] }[] = []
      for (const count of lessons) {
        const one = await section(id)
        const own: number[] = []
        for (let next = 0; next < count; next++) own.push((await lesson(one.id)).id)
        sections.push({ id: one.id, lessons: own })
      }
      await publish(id)
      return { id: id as number, root: Number(root_section_id), sections }
    },
    enroll: (courseId: number, contactId: number) =>
      api.post(`/courses/${courseId}/enrollments`, { courses_enrollment: { contact_id: contactId } }),
    complete: (courseId: number, enrollmentId: number, lessonId: number) =>
      api.post(`/courses/${courseId}/lesson_completions`, {
        courses_lesson_completion: { enrollment_id: enrollmentId, lesson_id: lessonId },
      }),
    enrollmentOf,
    /** Causes that give a contact access to a course and have not ended. */
    grantsOf: async (courseId: number, contactId: number) => notEnded(await enrollmentOf(courseId, contactId)),
  }
}
