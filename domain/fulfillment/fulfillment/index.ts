import { settingEvents } from '../../kernel/model/model.ts'
import { list, show, workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { embeddedShape } from '../../resources/view.ts'
import { asks, changes, creates, removes } from '../../resources/writes.ts'
import { included, withLines } from '../lines.ts'
import { giveBack, send } from './follow-ups.ts'
import { fulfillment, fulfillmentLineItem } from './model.ts'
import { fulfillments } from './rules.ts'

const FULFILLMENTS = '/workspaces/{workspace_id}/fulfillments'

/** Fulfillments::LineItem: shown inside its fulfilment. */
export const fulfillmentLineItemResource = serve(fulfillmentLineItem, fulfillments, {
  title: 'Fulfillments::LineItem',
  root: 'fulfillments_line_item',
  category: 'store',
  under: { param: 'fulfillment_id', resource: 'fulfillment', field: 'fulfillment_id' },
  operations: {},
})

/** Fulfillment. */
export const fulfillmentResource = serve(fulfillment, fulfillments, {
  title: 'Fulfillment',
  root: 'fulfillment',
  category: 'store',
  under: workspace,
  person: 'contact_id',
  view: {
    included_invoices_line_items: {
      children: 'line_items',
      shows: embeddedShape(fulfillmentLineItemResource, 'created_at', 'updated_at'),
      orNull: true,
    },
  },
  operations: {
    listFulfillments: list(FULFILLMENTS),
    createFulfillments: creates(FULFILLMENTS, {
      consequence: 'says that something was sent, of which its buyer may be told',
      input: included('What is sent, of paid invoices of the contact'),
      wanted: withLines,
      ids: ({ lines }) => (Array.isArray(lines) ? lines.length : 0),
      followUps: send,
    }),
    getFulfillments: show('/fulfillments/{id}'),
    updateFulfillments: changes('/fulfillments/{id}', {
      consequence: 'changes what a buyer is told of what was sent',
      except: ['contact_id', 'location_id', 'ignore_out_of_stock'],
    }),
    cancelFulfillments: asks('/fulfillments/{id}/cancel', 'cancel', {
      consequence: 'cancels that something was sent',
      followUps: giveBack,
    }),
    removeFulfillments: removes('/fulfillments/{id}', { followUps: giveBack }),
  },
  publishes: {
    '$fulfillment.created': { on: ['FulfillmentCreated'], about: 'A fulfilment was created.', alias: true },
    '$fulfillment.updated': {
      on: settingEvents(fulfillment),
      about: 'A field of a fulfilment changed, or it was cancelled.',
      alias: true,
    },
  },
})
