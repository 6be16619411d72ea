import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { choice, data, longText, moment, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { DELIVERY, ENDPOINT, PURCHASE } from '../providers.ts'
import type { Reported } from './reported.ts'

const hidden = { shown: 'never' } as const
const ofEndpoint = () => managed(reference(ENDPOINT, { required: true, onTargetEnd: 'keep' }))

/** Delivery of a provider as it was received, and its result. */
export const delivery = model(DELIVERY, {
  stream: PURCHASE,
  owner: 'purchase_id',
  attributes: {
    external_purchase_endpoint_id: ofEndpoint(),
    order_id: managed(reference('order')),
    event_type: managed(text({ required: true })),
    external_event_id: managed(text({ required: true })),
    processed_at: managed(moment()),
    processing_status: managed(choice(['received', 'processed', 'processing_skipped'], { initial: 'received' })),
    processing_errors: managed(longText()),
    /** Buyer, to whom the body belongs: a contact, or the key of an address that no contact has. */
    contact_id: managed(reference('contact', { required: true }), hidden),
    body: managed(longText({ personal: true }), hidden),
    reported: managed(data<Reported>(Type.Object({})), hidden),
  },
  events: {
    ExternalPurchaseEventReceived: {
      creates: true,
      only: ['external_purchase_endpoint_id', 'event_type', 'external_event_id', 'contact_id', 'reported', 'personal'],
    },
    ExternalPurchaseEventProcessed: {
      sets: ['order_id'],
      constants: { processing_status: 'processed', processing_errors: null },
      stamps: 'processed_at',
    },
    ExternalPurchaseEventSkipped: {
      sets: ['processing_errors'],
      constants: { processing_status: 'processing_skipped', order_id: null },
      stamps: 'processed_at',
    },
  },
  person: 'contact_id',
  unique: [
    {
      attributes: ['external_event_id'],
      within: 'external_purchase_endpoint_id',
      says: 'External event id has already been taken',
    },
  ],
})

/**
 * All deliveries of one membership, or of one payment without a membership. Together they decide the state of its
 * order.
 */
export const purchase = model(PURCHASE, {
  attributes: {
    external_purchase_endpoint_id: ofEndpoint(),
    correlation: managed(text({ required: true })),
    /** Buyer as of the first delivery, like that of a delivery. */
    contact_id: managed(reference('contact', { required: true })),
    /** Id reserved for its order, if it becomes one. */
    order_id: managed(reference('order', { required: true })),
  },
  events: { ExternalPurchaseBegun: { creates: true } },
  unique: [
    {
      attributes: ['correlation'],
      within: 'external_purchase_endpoint_id',
      says: 'Correlation has already been taken',
    },
  ],
  children: { events: { model: delivery, key: 'external_purchase_event_id' } },
})
