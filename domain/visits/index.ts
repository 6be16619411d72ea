import type { Family } from '../resources/family.ts'
import { placementResource } from './placement/index.ts'
import {
  contactsKnowTheirVisits,
  contactsKnowWhatTheyView,
  contactsKnowWhatTheyViewed,
  sessionsAreErasedWithContact,
  sessionsOfErasedAreErased,
} from './policies.ts'
import { sessionResource } from './session/index.ts'

/** Visitors of pages: their sessions, what they look at, and their places in splits. */
export const visits: Family = {
  resources: [sessionResource, placementResource],
  policies: [
    contactsKnowTheirVisits,
    contactsKnowWhatTheyViewed,
    contactsKnowWhatTheyView,
    sessionsAreErasedWithContact,
    sessionsOfErasedAreErased,
  ],
}
