import type { Family } from '../resources/family.ts'
import { sessionsAreErasedWithContact, sessionsOfErasedAreErased } from './policies.ts'
import { sessionResource } from './session/index.ts'

/** Visitors of pages: their sessions and what they look at. */
export const visits: Family = {
  resources: [sessionResource],
  policies: [sessionsAreErasedWithContact, sessionsOfErasedAreErased],
}
