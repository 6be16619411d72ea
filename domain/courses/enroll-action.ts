import { contactTargets } from '../contacts/public.ts'
import { list, reference } from '../kernel/model/fields.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { type Refusal, refuse } from '../kernel/values/refusal.ts'
import { job } from '../resources/jobs/job.ts'
import { section } from './course/model.ts'
import { enrolling } from './enrolling.ts'

const named = (resource: string) =>
  list(reference(resource), { nullable: true, initial: [], max: 100, onTargetEnd: 'keep' })

const mustName = async ({ course_ids, section_ids }: JsonObject): Promise<Refusal | undefined> => {
  const isNone = (ids: unknown) => !Array.isArray(ids) || ids.length === 0
  return isNone(course_ids) && isNone(section_ids)
    ? refuse.invalid('provide course_ids or section_ids', 'course_ids', 'blank')
    : undefined
}

/** Contacts::EnrollAction: enrolls many contacts in courses, or in some of their sections. */
export const enrollAction = job({
  name: 'contacts/enroll_action',
  title: 'Contacts::EnrollAction',
  consequence: 'enrols many people',
  root: 'contacts_enroll_action',
  category: 'contacts',
  events: {
    queued: 'ContactsEnrollActionQueued',
    started: 'ContactsEnrollActionStarted',
    advanced: 'ContactsEnrollActionAdvanced',
    completed: 'ContactsEnrollActionCompleted',
    removed: 'ContactsEnrollActionRemoved',
    held: 'ContactsEnrollActionHeld',
    released: 'ContactsEnrollActionReleased',
  },
  sealedFromTheStart: true,
  targets: contactTargets,
  attributes: { course_ids: named('course'), section_ids: named(section.name) },
  objection: mustName,
  paths: {
    list: ['listContactsEnrollActions', '/workspaces/{workspace_id}/contacts/enroll_actions'],
    create: ['createContactsEnrollActions', '/workspaces/{workspace_id}/contacts/enroll_actions'],
    show: ['getContactsEnrollActions', '/contacts/enroll_actions/{id}'],
    remove: ['removeContactsEnrollActions', '/contacts/enroll_actions/{id}'],
  },
  perform: ({ id, ...reach }, contactId, { read }) =>
    enrolling(contactId, reach, { source_type: 'contacts/enroll_action', source_id: id }, read),
})
