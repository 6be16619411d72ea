import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, rules } from '../../kernel/decide/rules.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { DISABLE_AFTER } from '../retry.ts'
import { type DisabledReason, endpoint, validFormerNonces } from './model.ts'

const { event } = endpoint
type Happens = Events<typeof endpoint>

/** Context of an act on an endpoint. */
type EndpointAct<Input = unknown> = ActContext<typeof endpoint, Input>
type Secret = { readonly nonce: string }

/** Time for which the previous secret stays valid after a rotation. */
const OVERLAP_MS = 24 * 60 * 60 * 1000
/** Every request is signed with all of them. */
const MOST_FORMER_SECRETS = 10
const MOST_REDELIVERIES = 10

const distinct = <T>(values: readonly T[]): readonly T[] => [...new Set(values)]
/** Normalizes a scope: an empty list means the same as `null`, no scope. */
const scope = (ids: readonly number[] | null): readonly number[] | null =>
  ids && ids.length > 0 ? distinct(ids) : null

const tidy = ({ after }: DecisionContext<typeof endpoint>) => ({
  event_type_ids: distinct(after.event_type_ids),
  page_ids: scope(after.page_ids),
  funnel_ids: scope(after.funnel_ids),
})

const disabled = (reason: DisabledReason) => event.WebhookEndpointDisabled({ reason })

const register = (context: DecisionContext<typeof endpoint, Secret>): Happens | Refusal => {
  const { url, name, enabled } = context.after
  const cleaned = tidy(context)
  if (cleaned.event_type_ids.length === 0)
    return refuse.invalid('Event type ids must have at least one', 'event_type_ids', 'blank')
  const registered = event.WebhookEndpointRegistered({
    url,
    name,
    ...cleaned,
    secret_nonce: context.wanted.nonce ?? '',
  })
  return [registered, ...(enabled ? [] : [disabled(null)])]
}

const rotate = ({ before, wanted, at }: EndpointAct<Secret>) => {
  if (validFormerNonces(before.secret, at).length >= MOST_FORMER_SECRETS) {
    const message = `${MOST_FORMER_SECRETS} former secrets of this endpoint are still valid; end them first`
    return refuse.invalid(message, 'secret', 'too_many')
  }
  const previous_until = new Date(Date.parse(at) + OVERLAP_MS).toISOString()
  return [event.WebhookEndpointSecretRotated({ secret_nonce: wanted.nonce ?? '', previous_until })]
}

const endFormerSecrets = ({ before, at }: EndpointAct): Happens =>
  validFormerNonces(before.secret, at).length > 0 ? [event.WebhookEndpointFormerSecretsEnded()] : []

/** Records that attempts have been failing since `since` without a success. Disables the endpoint when that lasts too long. */
const noteFailing = ({ before, wanted, at }: EndpointAct<{ readonly since: string }>): Happens => {
  const { enabled, failing_since } = before
  if (!enabled) return []
  if (failing_since === null) return [event.WebhookEndpointFailing({ since: wanted.since ?? at })]
  return Date.parse(at) - Date.parse(failing_since) < DISABLE_AFTER ? [] : [disabled('failing')]
}

const noteRecovered = ({ before }: EndpointAct): Happens =>
  before.failing_since === null ? [] : [event.WebhookEndpointRecovered()]

const noteGone = ({ before }: EndpointAct): Happens => (before.enabled ? [disabled('gone')] : [])

type RedeliveryInput = { readonly redelivery_id: number; readonly from: string; readonly to: string }

const redeliver = ({ before, wanted }: EndpointAct<RedeliveryInput>): Happens | Refusal => {
  const { redelivery_id, from, to } = wanted
  const open = before.redeliveries
  if (open.some(({ id }) => id === redelivery_id)) return []
  if (!before.enabled) return refuse.invalid('Endpoint is disabled; enable it first', 'enabled', 'disabled')
  if (from > to) return refuse.invalid('From must not be later than to', 'from', 'order')
  if (open.length >= MOST_REDELIVERIES)
    return refuse.tooMany(`${MOST_REDELIVERIES} redeliveries of this endpoint are under way; wait for one to end`, 60)
  return [event.WebhookRedeliveryRequested({ redelivery_id, from, to })]
}

/** Records that all events of a redelivery have been ordered. */
const finishRedelivery = ({
  before,
  wanted,
}: EndpointAct<{ readonly redelivery_id: number; readonly events: number }>) => {
  const { redelivery_id, events } = wanted
  if (!before.redeliveries.some(({ id }) => id === redelivery_id)) return []
  return [event.WebhookRedeliveryOrdered({ redelivery_id, events })]
}

/** The rules of an endpoint. */
export const endpoints = decider(endpoint, {
  rules: rules(endpoint, {
    create: register,
    save: [tidy],
    acts: {
      ping: () => [event.WebhookEndpointPinged()],
      rotate,
      endFormerSecrets,
      noteFailing,
      noteRecovered,
      noteGone,
      redeliver,
      finishRedelivery,
    },
  }),
})
