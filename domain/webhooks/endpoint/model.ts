import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { data, flag, integer, list, moment, reference, text } from '../../kernel/model/fields.ts'
import { model, type RecordOf } from '../../kernel/model/model.ts'
import { nullable, nullableInteger } from '../../resources/schemas.ts'

/** Nonces that the secrets of an endpoint are derived from (see kernel/ports/secrets.ts). */
export type SecretNonces = {
  readonly nonce: string
  /** Nonce before the last rotation, valid until `previous_until`. */
  readonly previous: string | null
  readonly previous_until: string | null
  /** Nonces before the previous one that were still valid at the last rotation, the newest first. Documents of former versions lack them. */
  readonly earlier?: readonly FormerNonce[]
}

/** Nonce of a former secret, with the time at which the secret expires. */
export type FormerNonce = { readonly nonce: string; readonly until: string }

/** A redelivery whose events have not all been ordered yet. */
export type OpenRedelivery = { readonly id: number; readonly from: string; readonly to: string }

/** Reason for which an endpoint is no longer called; `null`: a client disabled it. */
export type DisabledReason = 'gone' | 'failing' | null

/** Endpoint as stored. */
export type EndpointRecord = RecordOf<typeof endpoint> & { readonly workspace_id: number }

type Disabled = { readonly reason: DisabledReason }
type Secret = { readonly secret_nonce: string }
type Rotated = Secret & { readonly previous_until: string }
type Requested = { readonly redelivery_id: number; readonly from: string; readonly to: string }

const NO_SECRET: SecretNonces = { nonce: '', previous: null, previous_until: null, earlier: [] }

/** Returns the nonces of the former secrets that are valid at a time, the newest first. */
export const validFormerNonces = (
  { previous, previous_until, earlier = [] }: SecretNonces,
  at: string,
): readonly FormerNonce[] => {
  const last = previous === null || previous_until === null ? [] : [{ nonce: previous, until: previous_until }]
  return [...last, ...earlier].filter(({ until }) => at < until)
}

const HTTP = { test: /^https?:\/\/\S+$/i, says: 'must be an http or https URL' }
const REASONS = '`client`, `gone` (it answered 410) or `failing` (nothing succeeded for five days)'
const hidden = { shown: 'never' } as const

/** Address to which a subscriber wants events sent, and whether that succeeds. */
export const endpoint = model('webhooks/outgoing/endpoint', {
  attributes: {
    url: text({ required: true, max: 2048, form: HTTP }),
    name: text({ required: true }),
    event_type_ids: list(text(), { default: [], shown: { schema: nullable(Type.Array(Type.String())) } }),
    api_version: managed(integer({ default: 2 }), { shown: { schema: nullableInteger } }),
    page_ids: list(reference('page'), { nullable: true, about: 'Only events from these pages; null or [] for any' }),
    funnel_ids: list(reference('funnel'), {
      nullable: true,
      about: 'Only events from these funnels; null or [] for any',
    }),
    enabled: managed(flag({ default: true, about: 'Whether new events are sent to it' })),
    disabled_reason: managed(text({ nullable: true, about: REASONS })),
    failing_since: managed(moment({ nullable: true, about: 'No attempt has succeeded since' })),
    secret: managed(data<SecretNonces, { default: SecretNonces }>(Type.Object({}), { default: NO_SECRET }), hidden),
    redeliveries: managed(
      data<readonly OpenRedelivery[], { default: [] }>(Type.Array(Type.Object({})), { default: [] }),
      hidden,
    ),
  },
  events: {
    WebhookEndpointRegistered: {
      creates: true,
      only: ['url', 'name', 'event_type_ids', 'page_ids', 'funnel_ids'],
      evolve: (_, { secret_nonce }: Secret) => ({ secret: { ...NO_SECRET, nonce: secret_nonce } }),
    },
    WebhookEndpointRenamed: { sets: ['name'] },
    WebhookEndpointRedirected: { sets: ['url'] },
    WebhookEndpointSubscribed: { sets: ['event_type_ids'] },
    WebhookEndpointScoped: { sets: ['page_ids', 'funnel_ids'] },
    /** Until `previous_until`, requests are signed with the previous secret as well. So are those before it until they expire. */
    WebhookEndpointSecretRotated: {
      evolve: (before, { secret_nonce, previous_until }: Rotated, { at }) => {
        const { secret } = before ?? { secret: NO_SECRET }
        const earlier = validFormerNonces(secret, at)
        return { secret: { nonce: secret_nonce, previous: secret.nonce, previous_until, earlier } }
      },
    },
    WebhookEndpointFormerSecretsEnded: {
      evolve: (before) => ({ secret: { ...NO_SECRET, nonce: before?.secret.nonce ?? '' } }),
    },
    WebhookEndpointPinged: {},
    WebhookEndpointFailing: {
      evolve: (_, { since }: { readonly since: string }) => ({ failing_since: since }),
    },
    WebhookEndpointRecovered: { constants: { failing_since: null } },
    WebhookEndpointDisabled: {
      constants: { enabled: false },
      addsData: (): Disabled => ({ reason: null }),
      evolve: (_, { reason }: Disabled) => ({ disabled_reason: reason ?? 'client' }),
    },
    WebhookEndpointEnabled: {
      constants: { enabled: true },
      evolve: () => ({ disabled_reason: null, failing_since: null }),
    },
    WebhookRedeliveryRequested: {
      evolve: (before, { redelivery_id: id, from, to }: Requested) => ({
        redeliveries: [...(before?.redeliveries ?? []), { id, from, to }],
      }),
    },
    WebhookRedeliveryOrdered: {
      evolve: (before, { redelivery_id }: { readonly redelivery_id: number; readonly events: number }) => ({
        redeliveries: before?.redeliveries.filter(({ id }) => id !== redelivery_id) ?? [],
      }),
    },
    WebhookEndpointRemoved: { ends: true },
  },
  // Documents of version 1 have only the last of the former secrets.
  version: 2,
})
