import { contactNamed } from '../contacts/public.ts'
import { decider } from '../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, rules } from '../kernel/decide/rules.ts'
import { managed } from '../kernel/model/field.ts'
import { choice, group, integer, longText, moment, reference, text } from '../kernel/model/fields.ts'
import { model } from '../kernel/model/model.ts'
import { refuse } from '../kernel/values/refusal.ts'
import { zoneId } from '../resources/attributes/time-zone.ts'
import { list, show, workspace } from '../resources/operations.ts'
import { idAsText } from '../resources/schemas.ts'
import { serve } from '../resources/serve.ts'
import { asks, creates } from '../resources/writes.ts'

const beyondContract = true

/** Meeting with a contact at a set time. */
export const scheduledEvent = model('appointments/scheduled_event', {
  attributes: {
    start_on: moment({ required: true, dateAlone: 'refused' }),
    end_on: moment({ nullable: true, dateAlone: 'refused' }),
    status: managed(choice(['scheduled', 'canceled'], { initial: 'scheduled' })),
    max_invitees: integer({ nullable: true, min: 1, max: 1_000_000 }),
    order_id: reference('order', { nullable: true, shown: idAsText, about: 'The order that paid for it' }),
    comments: longText({ nullable: true, personal: true }),
    tzid: zoneId({ nullable: true, about: 'Name of a zone of the tz database' }),
    event_type: group({ name: text({ nullable: true }) }, { nullable: true }),
    primary_contact_id: reference('contact', { required: true, shown: 'never' }),
  },
  events: {
    AppointmentScheduled: { creates: true, except: ['status'] },
    AppointmentRescheduled: { sets: ['start_on', 'end_on', 'tzid'] },
    AppointmentCanceled: { constants: { status: 'canceled' } },
  },
  person: 'primary_contact_id',
})

type Appointment<Input = unknown> = ActContext<typeof scheduledEvent, Input>
type Times = { readonly start_on: string; readonly end_on: string | null; readonly tzid: string | null }

const endsTooEarly = ({ start_on, end_on }: Pick<Times, 'start_on' | 'end_on'>) =>
  end_on !== null && end_on <= start_on
    ? refuse.invalid('End on must be after start on', 'end_on', 'too_early')
    : undefined

const check = ({ after }: DecisionContext<typeof scheduledEvent>) => endsTooEarly(after)

const isCanceled = ({ before }: Appointment) =>
  before.status === 'canceled' ? refuse.conflict('The appointment has been canceled', 'status', 'canceled') : undefined

/** Returns the end of a meeting that is moved without one: its duration stays the same. */
const endOf = ({ start_on, end_on }: Times, start: string): string | null => {
  if (end_on === null) return null
  const end = new Date(Date.parse(start) + Date.parse(end_on) - Date.parse(start_on))
  return Number.isNaN(end.getTime()) ? null : end.toISOString()
}

const reschedule = (asked: Appointment<Partial<Times>>) => {
  const { before, wanted } = asked
  const { start_on = before.start_on, tzid = before.tzid } = wanted
  const times = { start_on, end_on: wanted.end_on === undefined ? endOf(before, start_on) : wanted.end_on, tzid }
  const refusal = isCanceled(asked) ?? endsTooEarly(times)
  if (refusal) return refusal
  const isSame = (['start_on', 'end_on', 'tzid'] as const).every((name) => times[name] === before[name])
  return isSame ? [] : [scheduledEvent.event.AppointmentRescheduled(times)]
}

const cancel = (asked: Appointment) => isCanceled(asked) ?? [scheduledEvent.event.AppointmentCanceled()]

/** Rules of an appointment. */
export const appointments = decider(scheduledEvent, {
  rules: rules(scheduledEvent, { save: [check], acts: { reschedule, cancel } }),
})

const EVENTS = '/workspaces/{workspace_id}/appointments/scheduled_events'
const ONE = '/appointments/scheduled_events/{id}'
const { start_on, end_on, tzid } = scheduledEvent.attributes

/** Appointments::ScheduledEvent: booked, rescheduled, cancelled. */
export const scheduledEventResource = serve(scheduledEvent, appointments, {
  title: 'Appointments::ScheduledEvent',
  root: 'appointments_scheduled_event',
  category: 'appointments',
  under: workspace,
  person: 'primary_contact_id',
  view: { primary_contact: { one: 'primary_contact_id', shows: contactNamed } },
  operations: {
    listAppointmentsScheduledEvents: list(EVENTS),
    createAppointmentsScheduledEvents: creates(EVENTS, { beyondContract }),
    getAppointmentsScheduledEvents: show(ONE, { beyondContract }),
    rescheduleAppointmentsScheduledEvents: asks(`${ONE}/reschedule`, 'reschedule', {
      consequence: 'moves an appointment of a person',
      beyondContract,
      summary: 'Puts an appointment at another time; without an end it lasts as long as before',
      body: { root: 'appointments_scheduled_event', fields: { start_on, end_on, tzid }, mode: 'create' },
    }),
    cancelAppointmentsScheduledEvents: asks(`${ONE}/cancel`, 'cancel', {
      consequence: 'cancels an appointment of a person',
      beyondContract,
      summary: 'Calls an appointment off',
    }),
  },
  publishes: {
    '$appointments.appointment_scheduled': {
      on: ['AppointmentScheduled'],
      about: 'An appointment was made.',
      alias: 'appointments/scheduled_event.created',
      concerns: ({ data }) => ({ contact_id: Number(data.primary_contact_id), conditions: {} }),
    },
    '$appointments.appointment_rescheduled': {
      on: ['AppointmentRescheduled'],
      about: 'An appointment was put at another time.',
      alias: 'appointments/scheduled_event.rescheduled',
    },
    '$appointments.appointment_canceled': {
      on: ['AppointmentCanceled'],
      about: 'An appointment was called off.',
      alias: 'appointments/scheduled_event.canceled',
    },
  },
})
