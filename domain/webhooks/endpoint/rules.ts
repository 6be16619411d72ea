import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, rules } from '../../kernel/decide/rules.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { DISABLE_AFTER } from '../retry.ts'
import { type DisabledReason, endpoint } from './model.ts'

const { event } = endpoint
type Happens = Events<typeof endpoint>

/** An act on an endpoint, with what comes with it. */
type Asking<Input = unknown> = ActContext<typeof endpoint, Input>
type Secret = { readonly nonce: string }

/** How long the secret before is still good for after a rotation. */
const OVERLAP_MS = 24 * 60 * 60 * 1000
const MOST_REDELIVERIES = 10

const distinct = <T>(values: readonly T[]): readonly T[] => [...new Set(values)]
/** No scope at all, however it was said. */
const scope = (ids: readonly number[] | null): readonly number[] | null =>
  ids && ids.length > 0 ? distinct(ids) : null

const tidy = ({ after }: DecisionContext<typeof endpoint>) => ({
  event_type_ids: distinct(after.event_type_ids),
  page_ids: scope(after.page_ids),
  funnel_ids: scope(after.funnel_ids),
})

const disabled = (reason: DisabledReason) => event.WebhookEndpointDisabled({ reason })

const register = (asked: DecisionContext<typeof endpoint, Secret>): Happens | Refusal => {
  const { url, name, enabled } = asked.after
  const settled = tidy(asked)
  if (settled.event_type_ids.length === 0)
    return refuse.invalid('Event type ids must have at least one', 'event_type_ids', 'blank')
  const registered = event.WebhookEndpointRegistered({ url, name, ...settled, secret_nonce: asked.wanted.nonce ?? '' })
  return [registered, ...(enabled ? [] : [disabled(null)])]
}

const rotate = ({ wanted, at }: Asking<Secret>) => {
  const previous_until = new Date(Date.parse(at) + OVERLAP_MS).toISOString()
  return [event.WebhookEndpointSecretRotated({ secret_nonce: wanted.nonce ?? '', previous_until })]
}

/** Attempts have failed for a while and none has succeeded; `since` is when that began. */
const noteFailing = ({ before, wanted, at }: Asking<{ readonly since: string }>): Happens => {
  const { enabled, failing_since } = before
  if (!enabled) return []
  if (failing_since === null) return [event.WebhookEndpointFailing({ since: wanted.since ?? at })]
  return Date.parse(at) - Date.parse(failing_since) < DISABLE_AFTER ? [] : [disabled('failing')]
}

const noteRecovered = ({ before }: Asking): Happens =>
  before.failing_since === null ? [] : [event.WebhookEndpointRecovered()]

const noteGone = ({ before }: Asking): Happens => (before.enabled ? [disabled('gone')] : [])

type Stretch = { readonly redelivery_id: number; readonly from: string; readonly to: string }

const redeliver = ({ before, wanted }: Asking<Stretch>): Happens | Refusal => {
  const { redelivery_id, from, to } = wanted
  const open = before.redeliveries
  if (open.some(({ id }) => id === redelivery_id)) return []
  if (!before.enabled) return refuse.invalid('Endpoint is disabled; enable it first', 'enabled', 'disabled')
  if (from > to) return refuse.invalid('From must not be later than to', 'from', 'order')
  if (open.length >= MOST_REDELIVERIES)
    return refuse.tooMany(`${MOST_REDELIVERIES} redeliveries of this endpoint are under way; wait for one to end`, 60)
  return [event.WebhookRedeliveryRequested({ redelivery_id, from, to })]
}

/** Everything in the stretch has been ordered. */
const finishRedelivery = ({ before, wanted }: Asking<{ readonly redelivery_id: number; readonly events: number }>) => {
  const { redelivery_id, events } = wanted
  if (!before.redeliveries.some(({ id }) => id === redelivery_id)) return []
  return [event.WebhookRedeliveryOrdered({ redelivery_id, events })]
}

/** The rules of an endpoint (rule book, section 20). */
export const endpoints = decider(endpoint, {
  rules: rules(endpoint, {
    create: register,
    save: [tidy],
    acts: {
      ping: () => [event.WebhookEndpointPinged()],
      rotate,
      noteFailing,
      noteRecovered,
      noteGone,
      redeliver,
      finishRedelivery,
    },
  }),
})
