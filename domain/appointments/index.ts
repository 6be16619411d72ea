import type { Family } from '../resources/family.ts'
import { scheduledEventResource } from './scheduled-event.ts'

/** Meetings with contacts. */
export const appointments: Family = { resources: [scheduledEventResource] }
