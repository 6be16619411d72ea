import type { Family } from '../resources/family.ts'
import { fieldResource, fieldSetResource, formResource, optionResource } from './form/index.ts'
import { formSubmissionResource } from './form-submission/index.ts'
import {
  confirmedContactsHaveOptedIn,
  contactsAreAskedToConfirm,
  contactsBringFields,
  contactsKnowTheirOptIns,
} from './policies.ts'
import { answerResource, submissionResource } from './submission/index.ts'

/** Forms with their field sets, fields and options, and what is submitted to them. */
export const forms: Family = {
  resources: [
    formResource,
    fieldSetResource,
    fieldResource,
    optionResource,
    submissionResource,
    answerResource,
    formSubmissionResource,
  ],
  policies: [contactsBringFields, contactsKnowTheirOptIns, contactsAreAskedToConfirm, confirmedContactsHaveOptedIn],
}
