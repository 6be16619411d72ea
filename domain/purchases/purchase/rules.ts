import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, rules } from '../../kernel/decide/rules.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { delivery, purchase } from './model.ts'

const { event } = purchase
type Happens = Events<typeof purchase>

/** Rejects a repeated delivery within a stream. Across the streams of an endpoint, claims do. */
const once = ({ after, records }: DecisionContext<typeof delivery>) =>
  records.all(delivery).some(({ external_event_id }) => external_event_id === after.external_event_id)
    ? refuse.invalid('External event id has already been taken', 'external_event_id', 'taken')
    : undefined

type Delivery<Input> = ActContext<typeof delivery, Input>

const process = ({ id, before, wanted }: Delivery<{ readonly order_id: number }>): Happens => {
  if (before.processing_status === 'processed') return []
  return [event.ExternalPurchaseEventProcessed({ external_purchase_event_id: id, order_id: wanted.order_id ?? 0 })]
}

const skip = ({ id, before, wanted }: Delivery<{ readonly because: string }>): Happens => {
  const processing_errors = wanted.because ?? ''
  if (before.processing_status === 'processing_skipped' && before.processing_errors === processing_errors) return []
  return [event.ExternalPurchaseEventSkipped({ external_purchase_event_id: id, processing_errors })]
}

/** Rules of a purchase and its deliveries (spec 6.3). */
export const purchaseRules = decider(purchase, {
  children: [rules(delivery, { save: [once], acts: { process, skip } })],
})
