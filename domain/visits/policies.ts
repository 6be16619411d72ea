import { contact } from '../contacts/contact/model.ts'
import { contacts } from '../contacts/public.ts'
import { ask } from '../kernel/decide/ask.ts'
import { readerOver } from '../kernel/decide/rules.ts'
import { policy } from '../kernel/react/policy.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { session, UTM } from './session/model.ts'
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
