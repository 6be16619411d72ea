import type { ActContext, Events } from '../../kernel/decide/rules.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { order } from '../order/model.ts'
import { endsLater } from './cancel.ts'
import { periodStart, withoutLead } from './schedule.ts'

const { event } = order

/**
 * Takes back the cancellation of a subscription that still runs until the end of what is paid. Charges that would have been
 * due meanwhile are not made up: the next one is then due at that end.
 */
export const reactivate = ({ before, at }: ActContext<typeof order>): Events<typeof order> | Refusal => {
  const { plan, periods, service_status, churned_at } = before
  if (!plan || !endsLater(before, at))
    return refuse.invalid(
      `Only a subscription that is canceled and has not ended can be reactivated; it is ${service_status}`,
      'order.service_status',
      'invalid',
    )
  const isPaidOff = plan.payments !== null && periods >= plan.payments
  const next = isPaidOff ? null : periodStart(plan, periods)
  const isMissed = next !== null && next <= at && churned_at !== null
  return [
    event.SubscriptionActivated({ again: true }),
    event.OrderChanged({
      ...{ canceled_at: null, canceled_by: null, cancel_reason: null, cancel_description: null, churned_at: null },
      ...(isMissed
        ? { plan: { ...withoutLead(plan), anchor: churned_at, from: periods }, next_charge_at: churned_at }
        : { next_charge_at: next }),
    }),
  ]
}
