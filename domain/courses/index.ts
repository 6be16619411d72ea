import type { Family } from '../resources/family.ts'
import { courseResource, lessonResource, sectionResource } from './course/index.ts'
import { enrollAction } from './enroll-action.ts'
import { completionResource, enrollmentResource } from './enrollment/index.ts'
import { enrolledKnowSections } from './notices.ts'
import { enrolledGetSections } from './policies.ts'
import { publishAction } from './publish-action.ts'

/** Courses with their sections and lessons, and those who take them. */
export const courses: Family = {
  jobs: [enrollAction, publishAction],
  policies: [enrolledGetSections, enrolledKnowSections],
  resources: [
    courseResource,
    sectionResource,
    lessonResource,
    enrollmentResource,
    completionResource,
    enrollAction.resource,
  ],
}
