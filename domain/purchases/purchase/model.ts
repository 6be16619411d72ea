import { Type } from 'typebox'
import { kept } from '../../kernel/model/field.ts'
import { choice, data, longText, moment, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { DELIVERY, ENDPOINT, PURCHASE } from '../providers.ts'
import type { Reported } from './reported.ts'

const hidden = { shown: 'never' } as const
const ofEndpoint = () => kept(reference(ENDPOINT, { required: true }))

/** What a provider delivered, as it came, and what became of it. */
export const delivery = model(DELIVERY, {
  stream: PURCHASE,
  owner: 'purchase_id',
  attributes: {
    external_purchase_endpoint_id: ofEndpoint(),
    order_id: kept(reference('order')),
    event_type: kept(text({ required: true })),
    external_event_id: kept(text({ required: true })),
    processed_at: kept(moment()),
    processing_status: kept(choice(['received', 'processed', 'processing_skipped'], { initial: 'received' })),
    processing_errors: kept(longText()),
    /** Whose the body is: the buyer. */
    contact_id: kept(reference('contact', { required: true }), hidden),
    body: kept(longText({ personal: true }), hidden),
    reported: kept(data<Reported>(Type.Object({})), hidden),
  },
  events: {
    ExternalPurchaseEventReceived: {
      born: true,
      only: ['external_purchase_endpoint_id', 'event_type', 'external_event_id', 'contact_id', 'reported', 'personal'],
    },
    ExternalPurchaseEventProcessed: {
      sets: ['order_id'],
      to: { processing_status: 'processed', processing_errors: null },
      stamps: 'processed_at',
    },
    ExternalPurchaseEventSkipped: {
      sets: ['processing_errors'],
      to: { processing_status: 'processing_skipped', order_id: null },
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

/** All that was delivered of one membership, or of one payment that has none: what it comes to is decided by all of it. */
export const purchase = model(PURCHASE, {
  attributes: {
    external_purchase_endpoint_id: ofEndpoint(),
    correlation: kept(text({ required: true })),
    contact_id: kept(reference('contact', { required: true })),
    /** The id of the order that it becomes, when it does. */
    order_id: kept(reference('order', { required: true })),
  },
  events: { ExternalPurchaseBegun: { born: true } },
  unique: [
    {
      attributes: ['correlation'],
      within: 'external_purchase_endpoint_id',
      says: 'Correlation has already been taken',
    },
  ],
  children: { events: { model: delivery, key: 'external_purchase_event_id' } },
})
