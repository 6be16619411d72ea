import type { Family } from '../resources/family.ts'
import { addressResource } from './address/index.ts'
import { sendingDomainResource } from './domain/index.ts'
import { deliveryResource, mailingResource } from './mailing/index.ts'
import {
  bouncedAreSuppressed,
  complainersAreSuppressed,
  contactsKnowReturnedMail,
  sendersKnowTransport,
} from './policies.ts'
import { mailSettingsResource } from './settings/index.ts'
import { templateResource } from './template/index.ts'
import { topicResource } from './topic/index.ts'

/** Mail: senders, sending domains, topics and templates; what is sent to contacts, and what became of it. */
export const emails: Family = {
  resources: [
    mailSettingsResource,
    sendingDomainResource,
    addressResource,
    topicResource,
    templateResource,
    mailingResource,
    deliveryResource,
  ],
  policies: [sendersKnowTransport, bouncedAreSuppressed, contactsKnowReturnedMail, complainersAreSuppressed],
}
