import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, rules } from '../../kernel/decide/rules.ts'
import { idAt } from '../../kernel/values/ids.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import type { Line } from '../lines.ts'
import { restock } from './model.ts'

const { event } = restock

const include = ({ before, wanted, ids }: DecisionContext<typeof restock, { readonly lines: readonly Line[] }>) =>
  before
    ? []
    : (wanted.lines ?? []).map((line, index) =>
        event.RestockLineItemIncluded({ line_item_id: idAt(ids, index), ...line }),
      )

const cancel = ({ before }: ActContext<typeof restock>) =>
  before.status === 'restocked' ? [event.RestockCancelled()] : refuse.conflict('Restock is already cancelled')

/** Rules of a restock alone. Follow-up commands change orders and stock (spec 3). */
export const restocks = decider(restock, { rules: rules(restock, { save: [include], acts: { cancel } }) })
