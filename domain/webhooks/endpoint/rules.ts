import { decider } from '../../kernel/deciding.ts'
import type { DomainEvent } from '../../kernel/event.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import { type Asked, type AskedOf, rules } from '../../kernel/rules.ts'
import { DISABLE_AFTER } from '../retry.ts'
import { type DisabledReason, endpoint } from './model.ts'

/** An act on an endpoint, with what comes with it. */
type Asking<Besides = unknown> = AskedOf<typeof endpoint, Besides>
type Secret = { readonly nonce: string }

/** How long the secret before is still good for after a rotation. */
const OVERLAP_MS = 24 * 60 * 60 * 1000
const MOST_REDELIVERIES = 10

const distinct = <T>(values: readonly T[]): readonly T[] => [...new Set(values)]
/** No scope at all, however it was said. */
const scope = (ids: readonly number[] | null): readonly number[] | null =>
  ids && ids.length > 0 ? distinct(ids) : null

const tidy = ({ after }: Asked<typeof endpoint>) => ({
  event_type_ids: distinct(after.event_type_ids),
  page_ids: scope(after.page_ids),
  funnel_ids: scope(after.funnel_ids),
})

const disabled = (reason: DisabledReason): DomainEvent => ({ type: 'WebhookEndpointDisabled', data: { reason } })

const register = (asked: Asked<typeof endpoint, Secret>): readonly DomainEvent[] | Refusal => {
  const { url, name, enabled } = asked.after
  const settled = tidy(asked)
  if (settled.event_type_ids.length === 0)
    return refuse.invalid('Event type ids must have at least one', 'event_type_ids', 'blank')
  const data = { url, name, ...settled, secret_nonce: asked.wanted.nonce ?? '' }
  return [{ type: 'WebhookEndpointRegistered', data }, ...(enabled ? [] : [disabled(null)])]
}

const rotate = ({ wanted, at }: Asking<Secret>) => {
  const previous_until = new Date(Date.parse(at) + OVERLAP_MS).toISOString()
  return [{ type: 'WebhookEndpointSecretRotated', data: { secret_nonce: wanted.nonce ?? '', previous_until } }]
}

/** Attempts have failed for a while and none has succeeded; `since` is when that began. */
const noteFailing = ({ before, wanted, at }: Asking<{ readonly since: string }>): readonly DomainEvent[] => {
  const { enabled, failing_since } = before
  if (!enabled) return []
  if (failing_since === null) return [{ type: 'WebhookEndpointFailing', data: { since: wanted.since ?? at } }]
  return Date.parse(at) - Date.parse(failing_since) < DISABLE_AFTER ? [] : [disabled('failing')]
}

const noteRecovered = ({ before }: Asking): readonly DomainEvent[] =>
  before.failing_since === null ? [] : [{ type: 'WebhookEndpointRecovered', data: {} }]

const noteGone = ({ before }: Asking): readonly DomainEvent[] => (before.enabled ? [disabled('gone')] : [])

type Stretch = { readonly redelivery_id: number; readonly from: string; readonly to: string }

const redeliver = ({ before, wanted }: Asking<Stretch>): readonly DomainEvent[] | Refusal => {
  const { redelivery_id = 0, from = '', to = '' } = wanted
  const open = before.redeliveries
  if (open.some(({ id }) => id === redelivery_id)) return []
  if (!before.enabled) return refuse.invalid('Endpoint is disabled; enable it first', 'enabled', 'disabled')
  if (from > to) return refuse.invalid('From must not be later than to', 'from', 'order')
  if (open.length >= MOST_REDELIVERIES)
    return refuse.tooMany(`${MOST_REDELIVERIES} redeliveries of this endpoint are under way; wait for one to end`, 60)
  return [{ type: 'WebhookRedeliveryRequested', data: { redelivery_id, from, to } }]
}

/** Everything in the stretch has been ordered. */
const finishRedelivery = ({ before, wanted }: Asking<{ readonly redelivery_id: number; readonly events: number }>) => {
  const { redelivery_id = 0, events = 0 } = wanted
  if (!before.redeliveries.some(({ id }) => id === redelivery_id)) return []
  return [{ type: 'WebhookRedeliveryOrdered', data: { redelivery_id, events } }]
}

/** The rules of an endpoint (rule book, section 20). */
export const endpoints = decider(endpoint, {
  rules: rules({
    create: register,
    save: [tidy],
    acts: {
      ping: () => [{ type: 'WebhookEndpointPinged', data: {} }],
      rotate,
      noteFailing,
      noteRecovered,
      noteGone,
      redeliver,
      finishRedelivery,
    },
  }),
})
