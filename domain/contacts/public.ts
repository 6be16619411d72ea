import { embeddedShape } from '../resources/view.ts'
import { contactResource } from './contact/index.ts'

export { targets as contactTargets } from './actions.ts'
export { attributeKey } from './contact/attributes.ts'
export { contactByEmail } from './contact/find.ts'
export { emailDigest, emailFilter, nameConditions } from './contact/lookup.ts'
export { type MailClass, reasonAgainst, type Unmailable } from './contact/mail-standing.ts'
export { contact, isContactKept } from './contact/model.ts'
export { contacts } from './contact/rules.ts'
export { contactShort as contactNamed } from './contact/view.ts'
export { digestIn, hadAddressAt, standingIn } from './suppression/contact-document.ts'
export { knownMailbox, knownMailboxes, withMailbox } from './suppression/known-mailboxes.ts'
export type { ContactSuppression } from './suppression/model.ts'
export { liftMailbox, noteMailbox, suppressions } from './suppression/rules.ts'

/** Shape of a contact as its own endpoint shows it, for records that contain all of it. */
export const contactWhole = embeddedShape(contactResource)
