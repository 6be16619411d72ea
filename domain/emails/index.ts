import type { Family } from '../resources/family.ts'
import { addressResource } from './address/index.ts'
import { broadcastResource } from './broadcast/index.ts'
import { broadcastsCountOutcomes, broadcastsNoticeFaults, broadcastsPauseForReports } from './broadcast/policies.ts'
import { sendingDomainResource } from './domain/index.ts'
import { deliveryResource, mailingResource } from './mailing/index.ts'
import { owedTemplateResource } from './owed/index.ts'
import {
  buyersKnowDeclinedCharges,
  buyersKnowEndedSubscriptions,
  buyersKnowShipments,
  buyersKnowTheirOrders,
  contactsConfirmByMail,
  membersSignInByMail,
} from './owed/policies.ts'
import {
  addressesKnowWhoLeft,
  bouncedAreSuppressed,
  complainersAreSuppressed,
  contactsKnowReturnedMail,
  sendersKnowTransport,
} from './policies.ts'
import { mailRates } from './rates/index.ts'
import { sentByDay } from './rates/sent-by-day.ts'
import { salesFollowMails } from './sales.ts'
import { sendActionResource } from './send-action/index.ts'
import { mailSettingsResource } from './settings/index.ts'
import { mailTally } from './statistics/tally.ts'
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
    owedTemplateResource,
    broadcastResource,
    sendActionResource,
    mailingResource,
    deliveryResource,
    mailRates,
  ],
  tallies: [sentByDay, mailTally],
  policies: [
    broadcastsCountOutcomes,
    broadcastsNoticeFaults,
    broadcastsPauseForReports,
    sendersKnowTransport,
    addressesKnowWhoLeft,
    bouncedAreSuppressed,
    contactsKnowReturnedMail,
    complainersAreSuppressed,
    buyersKnowTheirOrders,
    buyersKnowShipments,
    buyersKnowDeclinedCharges,
    buyersKnowEndedSubscriptions,
    contactsConfirmByMail,
    membersSignInByMail,
    salesFollowMails,
  ],
}
