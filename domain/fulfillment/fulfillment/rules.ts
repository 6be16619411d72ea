import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, rules } from '../../kernel/decide/rules.ts'
import { idAt } from '../../kernel/values/ids.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import type { Line } from '../lines.ts'
import { fulfillment } from './model.ts'

const { event } = fulfillment

const include = ({ before, wanted, ids }: DecisionContext<typeof fulfillment, { readonly lines: readonly Line[] }>) =>
  before
    ? []
    : (wanted.lines ?? []).map((line, index) =>
        event.FulfillmentLineItemIncluded({ line_item_id: idAt(ids, index), ...line }),
      )

const cancel = ({ before }: ActContext<typeof fulfillment>) =>
  before.status === 'fulfilled'
    ? [event.FulfillmentCancelled()]
    : refuse.conflict(`Fulfillment is already ${before.status}`)

/** Rules of a fulfilment alone. Follow-up commands change orders and stock (spec 3). */
export const fulfillments = decider(fulfillment, { rules: rules(fulfillment, { save: [include], acts: { cancel } }) })
