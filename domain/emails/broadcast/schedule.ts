import { instantIn, wallTimeIn } from '../../kernel/values/instant.ts'
import { zoneOf } from '../../resources/attributes/time-zone.ts'

const MINUTE = 60_000
/** How long ago a time may be for which a broadcast is scheduled. */
const PAST_MS = 5 * MINUTE
/** How late a scheduled broadcast is still sent by itself. */
const LATE_MS = 24 * 60 * MINUTE

/** Time of day at which broadcasts are sent that name only a day. */
const USUAL_TIME = '18:00:00'

/** Returns the instant of the day and hour that a text names, in a zone, whatever offset the text has; `undefined` for any other text. */
export const readSendAt = (sent: string, zone: string): string | undefined =>
  instantIn(sent) === undefined
    ? undefined
    : wallTimeIn(sent.slice(0, 10), /\d{2}:\d{2}(?::\d{2})?/.exec(sent.slice(11))?.[0] ?? '', zone)

interface Day {
  readonly send_at: string | null
  readonly send_at_local_time: string | null
  readonly time_zone: string | null
}

/** Returns the instant for which a broadcast asks itself; `undefined` for a day that the calendar does not have. */
export const instantOfDay = (
  { send_at, send_at_local_time, time_zone }: Day,
  workspaceZone: string,
): string | undefined =>
  wallTimeIn(send_at ?? '', send_at_local_time ?? USUAL_TIME, time_zone === null ? workspaceZone : zoneOf(time_zone))

/** Whether a time is too long ago to be scheduled for. */
export const isPast = (scheduledFor: string, at: string): boolean => Date.parse(at) - Date.parse(scheduledFor) > PAST_MS

/** Whether a scheduled broadcast is reached so late that somebody should look at it first. */
export const isTooLate = (scheduledFor: string | null, at: string): boolean =>
  scheduledFor !== null && Date.parse(at) - Date.parse(scheduledFor) > LATE_MS
