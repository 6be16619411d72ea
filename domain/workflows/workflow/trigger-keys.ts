import { Type } from 'typebox'
import { type Field, field, problem } from '../../kernel/model/field.ts'
import { beginningOf } from '../../kernel/values/characters.ts'

/** Events that can start a workflow, with their names for people. The list is the contract's, and closed. */
export const TRIGGER_KEYS = {
  '$contact.tag_applied': 'Tag applied',
  '$contact.tag_removed': 'Tag removed',
  $optin: 'Opted in',
  $view: 'Page viewed',
  '$order.successful_purchase': 'Successful purchase',
  '$order.cancelled': 'Order cancelled',
  '$order.churned': 'Subscription churned',
  '$transaction.renewal_failed': 'Renewal payment failed',
  '$subscription.upgraded': 'Subscription upgraded',
  '$subscription.downgraded': 'Subscription downgraded',
  '$sales.contact_entered_stage': 'Contact entered a pipeline stage',
  '$sales.contact_exited_stage': 'Contact left a pipeline stage',
  '$course.enroll': 'Enrolled in a course',
  '$course.unenroll': 'Unenrolled from a course',
  '$course.complete': 'Course completed',
  '$course.lesson_complete': 'Lesson completed',
  '$course.lesson_view': 'Lesson viewed',
  '$course.section_complete': 'Section completed',
  '$community.join': 'Joined a community',
  '$community.group_join': 'Joined a group of a community',
  '$community.topic_join': 'Joined a topic of a community',
  '$community.post': 'Posted in a community',
  '$community.post_view': 'Viewed a post of a community',
  '$community.ban': 'Banned from a community',
  '$community.unban': 'Let into a community again',
  '$email.sent': 'Email sent',
  '$email.open': 'Email opened',
  '$email.click': 'Link in an email clicked',
  '$email.bounce': 'Email bounced',
  '$email.spam_complaint': 'Email reported as spam',
  '$send_email_step.sent': 'Email of a step sent',
  '$send_email_step.open': 'Email of a step opened',
  '$send_email_step.click': 'Link in an email of a step clicked',
  '$send_email_step.bounce': 'Email of a step bounced',
  '$send_email_step.spam_complaint': 'Email of a step reported as spam',
  '$message_hub_event.contact_conversation_started': 'Contact started a conversation',
  '$message_hub_event.contact_responded': 'Contact responded',
  '$message_hub_event.agent_conversation_started': 'Agent started a conversation',
  '$message_hub_event.agent_responded': 'Agent responded',
  '$appointments.appointment_scheduled': 'Appointment scheduled',
  '$calendar_event.contact_registered': 'Registered for a calendar event',
  '$survey.complete': 'Survey completed',
} as const

export type TriggerKey = keyof typeof TRIGGER_KEYS

export const isTriggerKey = (key: string): key is TriggerKey => Object.hasOwn(TRIGGER_KEYS, key)

/** Cancellation, the one event for which a trigger may name a reason. */
export const CANCELLED: TriggerKey = '$order.cancelled'

/** Events of pages, which carry no funnel: a condition on one is accepted and never met. */
export const SITE_KEYS: readonly string[] = ['$optin', '$view'] satisfies readonly TriggerKey[]

const SHOWN = 100

/** Declares the key of the event that a trigger waits for. */
export const triggerKey = (): Field<string> =>
  field<string>(Type.Enum(Object.keys(TRIGGER_KEYS)), { required: true, label: 'event_type_key' }, (value) =>
    typeof value === 'string' && isTriggerKey(value)
      ? { value }
      : problem(`'${beginningOf(String(value), SHOWN)}' is not a valid workflow trigger event.`, 'inclusion'),
  )
