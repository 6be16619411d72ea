import type { Family } from '../resources/family.ts'
import { courseResource, lessonResource, sectionResource } from './course/index.ts'
import { enrollAction } from './enroll-action.ts'
import { completionResource, enrollmentResource } from './enrollment/index.ts'
import { enrolledKnowSections } from './notices.ts'
import { enrolledGetSections } from './policies.ts'
import { publishAction } from './publish-action.ts'
import { enrolledFollowPurchases, purchasesGiveCourses } from './purchases.ts'

/** Courses with their sections and lessons, and those who take them. */
export const courses: Family = {
  jobs: [enrollAction, publishAction],
  policies: [enrolledGetSections, enrolledKnowSections, purchasesGiveCourses, enrolledFollowPurchases],
  resources: [
    courseResource,
    sectionResource,
    lessonResource,
    enrollmentResource,
    completionResource,
    enrollAction.resource,
    publishAction.resource,
  ],
}
