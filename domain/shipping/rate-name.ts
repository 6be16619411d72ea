import { decider } from '../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../kernel/decide/rules.ts'
import { text } from '../kernel/model/fields.ts'
import { model } from '../kernel/model/model.ts'
import { refuse } from '../kernel/values/refusal.ts'
import { crud } from '../resources/crud.ts'
import { workspace } from '../resources/operations.ts'
import { serve } from '../resources/serve.ts'
import { rate } from './profile/model.ts'

const NAMES = '/workspaces/{workspace_id}/shipping/rates/names'

/** Name of rates at the checkout, shared by all zones. */
export const rateName = model('shipping/rates/name', {
  attributes: { name: text({ required: true }) },
  events: {
    ShippingRatesNameCreated: { creates: true },
    ShippingRatesNameChanged: { changes: 'rest' },
    ShippingRatesNameRemoved: { ends: true },
  },
})

const rateNames = decider(rateName, {
  rules: rules(rateName, {
    loadFacts: async ({ act, id }: DecisionContext<typeof rateName>, read: Reader) =>
      act === 'remove' && (await read.find(rate, { where: { rates_name_id: id }, limit: 1 })).length > 0,
    preventRemoval: (_: ActContext<typeof rateName>, isUsed: boolean) =>
      isUsed ? refuse.invalid('Name is used by shipping rates and cannot be deleted', 'base', 'occupied') : undefined,
  }),
})

/** Shipping::Rates::Name. */
export const rateNameResource = serve(rateName, rateNames, {
  title: 'Shipping::Rates::Name',
  root: 'shipping_rates_name',
  category: 'store',
  under: workspace,
  operations: crud('ShippingRatesNames', NAMES, '/shipping/rates/names/{id}'),
})
