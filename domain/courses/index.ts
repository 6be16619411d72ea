import type { Family } from '../resources/family.ts'
import { courseResource, lessonResource, sectionResource } from './course/index.ts'
import { completionResource, enrollmentResource } from './enrollment/index.ts'

/** Courses with their sections and lessons, and those who take them. */
export const courses: Family = {
  resources: [courseResource, sectionResource, lessonResource, enrollmentResource, completionResource],
}
