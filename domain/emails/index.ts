import type { Family } from '../resources/family.ts'
import { deliveryResource, mailingResource } from './mailing/index.ts'

/** Mail: what is sent to contacts, and what became of it. */
export const emails: Family = { resources: [mailingResource, deliveryResource] }
