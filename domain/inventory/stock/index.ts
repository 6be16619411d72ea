import { Type } from 'typebox'
import { group, integer, list as listOf, reference } from '../../kernel/model/fields.ts'
import { idFilter, list, show, workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { asks, changes, creates, removes } from '../../resources/writes.ts'
import { stock } from './model.ts'
import { available, committed, onHand, reserved } from './quantities.ts'
import { stocks } from './rules.ts'

const STOCKS = '/workspaces/{workspace_id}/fulfillments/stocks'
const MOST = 1_000_000_000
const beyondContract = true

const location_id = reference('fulfillments/location', { required: true })
const levels = listOf(group({ location_id, quantity: integer({ required: true, min: 0, max: MOST }) }), {
  max: 1000,
  about: 'Sets what is kept at these locations; levels of others stay',
})
const sum = (about: string) => Type.Integer({ description: about })

/** Fulfillments::Stock: quantity of a variant. A variant without stock is not counted and always available. */
export const stockResource = serve(stock, stocks, {
  title: 'Fulfillments::Stock',
  root: 'fulfillments_stock',
  category: 'store',
  under: workspace,
  indexes: [{ fields: ['variant_id'] }, { fields: ['location_ids'] }],
  view: {
    on_hand: { schema: sum('At all locations'), of: onHand },
    reserved: { schema: sum('Kept back for orders that are not paid yet'), of: reserved },
    committed: { schema: sum('Kept back for orders that are paid'), of: committed },
    available: { schema: sum('On hand, and not kept back'), of: available },
  },
  operations: {
    listFulfillmentsStocks: list(STOCKS, {
      beyondContract,
      summary: 'Stock of the variants that are counted',
      filters: { variant_id: idFilter('variant_id') },
    }),
    setFulfillmentsStocks: creates(STOCKS, {
      beyondContract,
      summary: 'Sets how much of a variant is kept at locations; from the first time on it is counted',
      upsert: 'variant_id',
      input: { levels },
    }),
    getFulfillmentsStocks: { ...show('/fulfillments/stocks/{id}'), beyondContract },
    updateFulfillmentsStocks: changes('/fulfillments/stocks/{id}', {
      beyondContract,
      input: { levels },
      except: ['variant_id'],
    }),
    restockFulfillmentsStocks: asks('/fulfillments/stocks/{id}/restock', 'restock', {
      consequence: null,
      beyondContract,
      summary: 'Adds to what is kept at a location',
      body: {
        root: 'fulfillments_stock',
        fields: { location_id, quantity: integer({ required: true, min: 1, max: MOST }) },
        mode: 'create',
      },
    }),
    removeFulfillmentsStocks: removes('/fulfillments/stocks/{id}', { beyondContract }),
  },
})
