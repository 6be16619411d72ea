import { decider } from '../../kernel/deciding.ts'
import type { DomainEvent } from '../../kernel/event.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import { type Asked, type AskedOf, rules } from '../../kernel/rules.ts'
import type { Line } from '../lines.ts'
import { fulfillment } from './model.ts'

const include = ({ before, wanted, ids }: Asked<typeof fulfillment, { readonly lines: readonly Line[] }>) =>
  before
    ? []
    : (wanted.lines ?? []).map((line, index) => ({
        type: 'FulfillmentLineItemIncluded',
        data: { line_item_id: ids[index] ?? 0, ...line },
      }))

const cancel = ({ before }: AskedOf<typeof fulfillment>): readonly DomainEvent[] | Refusal =>
  before.status === 'fulfilled'
    ? [{ type: 'FulfillmentCancelled', data: {} }]
    : refuse.conflict(`Fulfillment is already ${before.status}`)

/** The rules of a fulfilment by itself; what it asks of orders and stock follows (spec 3). */
export const fulfillments = decider(fulfillment, { rules: rules({ save: [include], acts: { cancel } }) })
