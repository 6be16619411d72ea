import type { Family } from '../resources/family.ts'
import { tagAction, unsubscribeAction } from './actions.ts'
import { appliedTagResource, contactResource } from './contact/index.ts'
import { exportAction } from './export-action.ts'
import { suppressionResource } from './suppression/index.ts'
import {
  addressesKeepWhatIsKnown,
  addressesTakeWhatIsSaid,
  contactsFollowTheirMailbox,
  mailboxesRemember,
} from './suppression/policies.ts'
import { contactTag } from './tag.ts'

const jobs = [tagAction, unsubscribeAction, exportAction]

/** Contacts of a workspace, and actions on many of them. */
export const contacts: Family = {
  resources: [
    contactResource,
    contactTag,
    appliedTagResource,
    suppressionResource,
    ...jobs.map(({ resource }) => resource),
  ],
  policies: [contactsFollowTheirMailbox, addressesTakeWhatIsSaid, mailboxesRemember, addressesKeepWhatIsKnown],
  jobs,
}
