import { CONDITIONS, type ConditionName } from './conditions.ts'
import { CANCELLED, SITE_KEYS } from './trigger-keys.ts'

/** What a trigger waits for. */
export type AwaitedEvent = {
  readonly event_type_key: string
  readonly active: boolean
  readonly allow_anonymous_contacts: boolean
  readonly subscription_cancelation_reason: string | null
  /** Conditions whose record has ended. */
  readonly lost_conditions: readonly string[]
} & { readonly [name in ConditionName]: number | null }

/** A public event that concerns a contact. */
export interface Occurrence {
  readonly key: string
  /** Whether nobody knows yet who the contact is. */
  readonly isAnonymous: boolean
  /** Ids of the records that it has to do with, by the condition that names them. */
  readonly ids: { readonly [name in ConditionName]?: readonly number[] }
  /** For a cancellation: the reason that was chosen. */
  readonly cancelationReason?: string | null
}

/** Conditions that no event meets, by the keys for which that is so. */
const isNeverMet = (key: string, name: ConditionName): boolean => name === 'funnel_id' && SITE_KEYS.includes(key)

/**
 * Returns whether an event starts a workflow by a trigger: all conditions of the trigger must be met. A condition on a record that has ended is met by
 * nothing.
 */
export const isAwaited = (trigger: AwaitedEvent, { key, isAnonymous, ids, cancelationReason }: Occurrence): boolean => {
  const { event_type_key, active, allow_anonymous_contacts, subscription_cancelation_reason: reason } = trigger
  if (!active || event_type_key !== key || (isAnonymous && !allow_anonymous_contacts)) return false
  if (trigger.lost_conditions.length > 0) return false
  if (key === CANCELLED && reason !== null && reason !== cancelationReason) return false
  return CONDITIONS.every((name) => {
    const wanted = trigger[name]
    return wanted === null || (!isNeverMet(key, name) && ids[name]?.includes(wanted) === true)
  })
}
