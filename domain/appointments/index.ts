import type { Family } from '../kinds/family.ts'
import { scheduledEventResource } from './scheduled-event.ts'

/** Meetings with contacts. */
export const appointments: Family = { resources: [scheduledEventResource] }
