import type { Concerned } from '../../kernel/react/publication.ts'
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
export interface Occurrence extends Pick<Concerned, 'conditions'> {
  readonly key: string
  /** Whether nobody knows yet who the contact is. */
  readonly isAnonymous: boolean
}

/** Tells whether a condition is one that no event of a key meets. */
const isNeverMet = (key: string, name: ConditionName): boolean => name === 'funnel_id' && SITE_KEYS.includes(key)

/**
 * Returns whether an event starts a workflow by a trigger: all conditions of the trigger must be met. A condition on a record that has ended is met by
 * nothing.
 */
export const isAwaited = (trigger: AwaitedEvent, { key, isAnonymous, conditions }: Occurrence): boolean => {
  const { event_type_key, active, allow_anonymous_contacts, subscription_cancelation_reason: reason } = trigger
  if (!active || event_type_key !== key || (isAnonymous && !allow_anonymous_contacts)) return false
  if (trigger.lost_conditions.length > 0) return false
  if (key === CANCELLED && reason !== null && reason !== conditions.subscription_cancelation_reason) return false
  return CONDITIONS.every((name) => {
    const wanted = trigger[name]
    if (wanted === null) return true
    const value = conditions[name]
    return !isNeverMet(key, name) && (Array.isArray(value) ? value.includes(wanted) : value === wanted)
  })
}
