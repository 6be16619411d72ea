/** What became of a delivery. Each has exactly one in the end. */
export const OUTCOMES = [
  'sent',
  'kept',
  'failed',
  'bounced',
  'in_doubt',
  'canceled',
  'unsubscribed',
  'suppressed',
  'deleted',
  'topic',
  'unconfirmed',
  'no_address',
  'duplicate',
  'withheld',
] as const

export type Outcome = (typeof OUTCOMES)[number]

/** A delivery without outcome: it waits, or was taken to be handed over. */
export const OPEN = ['waiting', 'taken'] as const

export type DeliveryStatus = Outcome | (typeof OPEN)[number]

/** Whether a delivery has no outcome yet. */
export const isOpen = (status: DeliveryStatus): status is (typeof OPEN)[number] => OPEN.some((open) => open === status)

/** Most recipients of one mailing. */
export const MOST_RECIPIENTS = 500

/** Ids that each mailing has for its deliveries. A stored format. */
const IDS_PER_MAILING = 1000

/** Returns the id of a delivery by its place in its mailing. It follows from the mailing, so no counter is asked for it. */
export const deliveryIdAt = (mailingId: number, index: number): number => mailingId * IDS_PER_MAILING + index + 1

/** Returns the mailing of a delivery. */
export const mailingIdOf = (deliveryId: number): number => Math.floor((deliveryId - 1) / IDS_PER_MAILING)

/** Returns the place of a delivery in its mailing. */
export const placeOf = (deliveryId: number): number => (deliveryId - 1) % IDS_PER_MAILING
