import type { Family } from '../resources/family.ts'
import { placementResource } from './placement/index.ts'
import { sessionsAreErasedWithContact, sessionsOfErasedAreErased } from './policies.ts'
import { sessionResource } from './session/index.ts'

/** Visitors of pages: where entries lead them, their sessions and what they look at. */
export const visits: Family = {
  resources: [placementResource, sessionResource],
  policies: [sessionsAreErasedWithContact, sessionsOfErasedAreErased],
}
