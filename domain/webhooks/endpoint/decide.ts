import type { Command, Decision } from '../../kernel/decider.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import { DISABLE_AFTER } from '../retry.ts'
import type { DisabledReason, EndpointEvent } from './events.ts'
import type { EndpointState } from './state.ts'

/** What a client may send of an endpoint; absent keys are left alone. */
export interface EndpointFields {
  readonly url?: string
  readonly name?: string
  readonly event_type_ids?: readonly string[]
  readonly page_ids?: readonly number[] | null
  readonly funnel_ids?: readonly number[] | null
  readonly enabled?: boolean
}

export type EndpointCommand = Command &
  (
    | { readonly type: 'RegisterEndpoint'; readonly fields: EndpointFields; readonly nonce: string }
    | { readonly type: 'ChangeEndpoint'; readonly fields: EndpointFields }
    | { readonly type: 'RotateSecret'; readonly nonce: string }
    | { readonly type: 'PingEndpoint' }
    /** Attempts have failed for a while and none has succeeded; `since` is when that began. */
    | { readonly type: 'NoteFailing'; readonly since: string }
    | { readonly type: 'NoteRecovered' }
    | { readonly type: 'DisableEndpoint'; readonly reason: DisabledReason }
    | { readonly type: 'RequestRedelivery'; readonly redeliveryId: number; readonly from: string; readonly to: string }
    | { readonly type: 'FinishRedelivery'; readonly redeliveryId: number; readonly events: number }
    | { readonly type: 'RemoveEndpoint' }
  )

type Endpoint = Decision<EndpointEvent>

/** How long the secret before is still good for after a rotation. */
const OVERLAP_MS = 24 * 60 * 60 * 1000
const MOST_REDELIVERIES = 10

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
const distinct = <T>(values: readonly T[]): readonly T[] => [...new Set(values)]
/** No scope at all, however it was said. */
const scope = (ids: readonly number[] | null | undefined): readonly number[] | null =>
  ids && ids.length > 0 ? distinct(ids) : null

const register = (state: EndpointState, fields: EndpointFields, nonce: string): Endpoint => {
  if (state.status !== 'absent') return []
  const types = distinct(fields.event_type_ids ?? [])
  if (types.length === 0) return refuse.invalid('Event type ids must have at least one', 'event_type_ids', 'blank')
  const data = {
    url: fields.url ?? '',
    name: fields.name ?? '',
    event_type_ids: types,
    page_ids: scope(fields.page_ids),
    funnel_ids: scope(fields.funnel_ids),
    secret_nonce: nonce,
  }
  const disabled: EndpointEvent[] =
    fields.enabled === false ? [{ type: 'WebhookEndpointDisabled', data: { reason: null } }] : []
  return [{ type: 'WebhookEndpointRegistered', data }, ...disabled]
}

const change = (state: EndpointState, fields: EndpointFields): Endpoint => {
  const { name, url, event_type_ids: sent, enabled } = fields
  const events: EndpointEvent[] = []
  if (name !== undefined && name !== state.name) events.push({ type: 'WebhookEndpointRenamed', data: { name } })
  if (url !== undefined && url !== state.url) events.push({ type: 'WebhookEndpointRedirected', data: { url } })
  const types = distinct(sent ?? state.eventTypeIds)
  if (!same(types, state.eventTypeIds)) {
    events.push({ type: 'WebhookEndpointSubscribed', data: { event_type_ids: types } })
  }
  const page_ids = fields.page_ids === undefined ? state.pageIds : scope(fields.page_ids)
  const funnel_ids = fields.funnel_ids === undefined ? state.funnelIds : scope(fields.funnel_ids)
  if (!same([page_ids, funnel_ids], [state.pageIds, state.funnelIds])) {
    events.push({ type: 'WebhookEndpointScoped', data: { page_ids, funnel_ids } })
  }
  if (enabled === false && state.status === 'enabled') {
    events.push({ type: 'WebhookEndpointDisabled', data: { reason: null } })
  }
  if (enabled === true && state.status === 'disabled') events.push({ type: 'WebhookEndpointEnabled', data: {} })
  return events
}

const failing = (state: EndpointState, since: string, at: string): readonly EndpointEvent[] => {
  if (state.status !== 'enabled') return []
  if (state.failingSince === null) return [{ type: 'WebhookEndpointFailing', data: { since } }]
  if (Date.parse(at) - Date.parse(state.failingSince) < DISABLE_AFTER) return []
  return [{ type: 'WebhookEndpointDisabled', data: { reason: 'failing' } }]
}

const requestRedelivery = (
  state: EndpointState,
  { redeliveryId, from, to }: Extract<EndpointCommand, { readonly type: 'RequestRedelivery' }>,
): readonly EndpointEvent[] | Refusal => {
  if (state.redeliveries.includes(redeliveryId)) return []
  if (state.status === 'disabled') return refuse.invalid('Endpoint is disabled; enable it first', 'enabled', 'disabled')
  if (from > to) return refuse.invalid('From must not be later than to', 'from', 'order')
  if (state.redeliveries.length >= MOST_REDELIVERIES) {
    return refuse.tooMany(`${MOST_REDELIVERIES} redeliveries of this endpoint are under way; wait for one to end`, 60)
  }
  return [{ type: 'WebhookRedeliveryRequested', data: { redelivery_id: redeliveryId, from, to } }]
}

/** The rules of an endpoint (rule book, section 20). */
export const decide = (state: EndpointState, command: EndpointCommand): Endpoint => {
  if (command.type === 'RegisterEndpoint') return register(state, command.fields, command.nonce)
  if (state.status === 'absent' || state.status === 'removed') return refuse.notFound()
  switch (command.type) {
    case 'ChangeEndpoint':
      return change(state, command.fields)
    case 'RotateSecret': {
      const previous_until = new Date(Date.parse(command.at) + OVERLAP_MS).toISOString()
      return [{ type: 'WebhookEndpointSecretRotated', data: { secret_nonce: command.nonce, previous_until } }]
    }
    case 'PingEndpoint':
      return [{ type: 'WebhookEndpointPinged', data: {} }]
    case 'NoteFailing':
      return failing(state, command.since, command.at)
    case 'NoteRecovered':
      return state.failingSince === null ? [] : [{ type: 'WebhookEndpointRecovered', data: {} }]
    case 'DisableEndpoint':
      return state.status === 'disabled' ? [] : [{ type: 'WebhookEndpointDisabled', data: { reason: command.reason } }]
    case 'RequestRedelivery':
      return requestRedelivery(state, command)
    case 'FinishRedelivery': {
      const { redeliveryId, events } = command
      if (!state.redeliveries.includes(redeliveryId)) return []
      return [{ type: 'WebhookRedeliveryOrdered', data: { redelivery_id: redeliveryId, events } }]
    }
    case 'RemoveEndpoint':
      return [{ type: 'WebhookEndpointRemoved', data: {} }]
  }
}
