import { contact } from '../contacts/contact/model.ts'
import { contacts } from '../contacts/public.ts'
import { showPageStep } from '../funnels/funnel/model.ts'
import { ask } from '../kernel/decide/ask.ts'
import { readerOver } from '../kernel/decide/rules.ts'
import { policy } from '../kernel/react/policy.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { placesIn, session, UTM } from './session/model.ts'
import { sessions } from './session/rules.ts'

/** Erases the sessions of a contact who is erased. */
export const sessionsAreErasedWithContact = policy({
  name: 'sessions-are-erased-with-contact',
  on: [contact.event.ContactRedacted],
  react: ({ stream }) => [
    {
      each: session.name,
      where: { contact_id: parseStream(stream).id },
      one: (id) => ask(sessions, id, 'erase', {}),
    },
  ],
})

/** Erases a session that turns out to be of a contact who has been erased. One of the two events sees the other. */
export const sessionsOfErasedAreErased = policy({
  name: 'sessions-of-erased-are-erased',
  on: [session.event.VisitorIdentified],
  async react({ stream, data: { contact_id } }, documents) {
    const found = await readerOver(documents).one(contact, contact_id)
    return found && found.redacted_email !== null ? [ask(sessions, parseStream(stream).id, 'erase', {})] : []
  },
})

/** Notes a session with its contact, so that contacts and orders show their visits without looking for them. */
export const contactsKnowTheirVisits = policy({
  name: 'contacts-know-their-visits',
  on: [session.event.VisitorIdentified],
  async react({ stream, data: { contact_id } }, documents) {
    const session_id = parseStream(stream).id
    const read = readerOver(documents)
    const [visited, visitor] = await Promise.all([read.one(session, session_id), read.one(contact, contact_id)])
    if (!visited || !visitor || visitor.deleted_at !== null || visitor.redacted_email !== null) return []
    const by_campaign = UTM.some((name) => visited[name] !== null)
    return [ask(contacts, visitor.id, 'visit', { session_id, by_campaign })]
  },
})

/** Notes with a contact the pages of a session that turns out to be the contact's. */
export const contactsKnowWhatTheyViewed = policy({
  name: 'contacts-know-what-they-viewed',
  on: [session.event.VisitorIdentified],
  async react({ stream, data: { contact_id } }, documents) {
    const read = readerOver(documents)
    const visited = await read.one(session, parseStream(stream).id)
    if (!visited || typeof contact_id !== 'number') return []
    const { stepIds, pageIds } = placesIn(visited.seen)
    const steps = await read.many(showPageStep, stepIds)
    const page_ids = [...pageIds, ...steps.map(({ page_id }) => page_id)]
    const funnel_ids = steps.map(({ funnel_id }) => funnel_id)
    return page_ids.length === 0 ? [] : [ask(contacts, contact_id, 'viewPages', { page_ids, funnel_ids })]
  },
})

/** Notes with a contact a page that is viewed for the first time in a session of the contact. */
export const contactsKnowWhatTheyView = policy({
  name: 'contacts-know-what-they-view',
  on: [session.event.PageViewed],
  when: ({ data }) => typeof data.contact_id === 'number' && data.consent === true && data.bot === false,
  react: ({ data: { contact_id = 0, page_id, funnel_id, live_mode } }) =>
    live_mode
      ? [
          ask(contacts, contact_id, 'viewPages', {
            page_ids: [page_id],
            funnel_ids: funnel_id === null ? [] : [funnel_id],
          }),
        ]
      : [],
})
