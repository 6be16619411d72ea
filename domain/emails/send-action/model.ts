import { managed } from '../../kernel/model/field.ts'
import { integer, moment } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { type Outcomes, totalOf } from '../broadcast/outcomes.ts'

/** Order to send a broadcast, at once or at a time, with how far it is. */
export const sendAction = model('emails/broadcasts/send_action', {
  stream: 'emails/broadcast',
  owner: 'broadcast_id',
  attributes: {
    scheduled_for: managed(moment()),
    /** Membership of the caller. */
    approved_by_id: managed(integer()),
    target_count: managed(integer()),
    performed_count: managed(integer({ default: 0 })),
    started_at: managed(moment()),
    completed_at: managed(moment()),
  },
  events: {
    SendActionAdded: { creates: true, only: ['scheduled_for', 'approved_by_id'] },
    SendActionRemoved: { ends: true },
    BroadcastAudienceResolved: { sets: ['target_count'], stamps: 'started_at' },
    BroadcastPieceSettled: {
      evolve: (before, { outcomes }: { readonly outcomes: Outcomes }) => ({
        performed_count: (before?.performed_count ?? 0) + totalOf(outcomes),
      }),
    },
    BroadcastCompleted: { stamps: 'completed_at' },
  },
})
