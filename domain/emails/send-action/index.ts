import { Type } from 'typebox'
import { text } from '../../kernel/model/fields.ts'
import { list, show } from '../../resources/operations.ts'
import type { Owner } from '../../resources/owner.ts'
import { nullableInteger } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { creates, removes } from '../../resources/writes.ts'
import { broadcasts } from '../broadcast/rules.ts'
import { sendAction } from './model.ts'

const underBroadcast: Owner = { param: 'broadcast_id', resource: 'emails/broadcast', field: 'broadcast_id' }
const ACTIONS = '/emails/broadcasts/{broadcast_id}/send_actions'
const ONE = '/emails/broadcasts/send_actions/{id}'
const ROOT = 'emails_broadcasts_send_action'

const fields = {
  send_at: text({ nullable: true, about: 'Day and hour in the zone of the workspace, ISO 8601; absent: now' }),
}

/** Ways to send that the contract knows. Only the first is offered. */
const TYPES = [
  'default',
  'split_test_main',
  'split_test_variant',
  'split_test_winner',
  'send_in_contacts_time_zone',
  'schedule_send_in_contacts_time_zone',
]

/** Emails::Broadcasts::SendAction. */
export const sendActionResource = serve(sendAction, broadcasts, {
  title: 'Emails::Broadcasts::SendAction',
  root: ROOT,
  category: 'emails',
  under: underBroadcast,
  view: {
    workspace_id: { schema: Type.Integer(), of: ({ workspace_id }) => workspace_id ?? 0 },
    send_type: { schema: Type.Enum(TYPES), of: () => 'default' },
    target_ids: { schema: Type.Array(Type.Integer()), of: ({ broadcast_id }) => [broadcast_id] },
    created_by_id: { schema: nullableInteger, of: () => null },
  },
  operations: {
    listEmailsBroadcastsSendActions: list(ACTIONS),
    createEmailsBroadcastsSendActions: creates(ACTIONS, {
      consequence: 'sends mail to many people',
      body: { root: ROOT, fields, mode: 'create', optional: true },
      keepsWhatItReads: true,
    }),
    getEmailsBroadcastsSendActions: show(ONE),
    removeEmailsBroadcastsSendActions: removes(ONE, {
      summary: 'Takes an order to send back, or cancels what is not yet sent',
    }),
  },
})
