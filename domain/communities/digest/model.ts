import { managed } from '../../kernel/model/field.ts'
import { flag, moment, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'

type Due = { readonly day: string; readonly since: string; readonly next_at: string | null }

/** Daily digest of a community. It has a stream of its own, so that its timer changes nothing of the community. */
export const digest = model('communities/digest', {
  attributes: {
    community_id: managed(reference('community', { required: true })),
    is_on: managed(flag({ required: true })),
    /** When it is due next. */
    next_at: managed(moment({ nullable: true })),
    /** Last day of the workspace's calendar on which it was sent, and when. */
    last_day: managed(text({ nullable: true })),
    last_at: managed(moment({ nullable: true })),
  },
  events: {
    DigestBegan: { creates: true, except: ['last_day', 'last_at'] },
    DigestSwitched: { sets: ['is_on', 'next_at'] },
    /** It was sent on this day already: it waits for another. */
    DigestPutOff: { sets: ['next_at'] },
    DigestDue: {
      evolve: (_: unknown, { day, next_at }: Due, { at }) => ({ last_day: day, last_at: at, next_at }),
    },
  },
  timers: { send: { due: ({ is_on, next_at }) => (is_on ? next_at : null) } },
  unique: [{ attributes: ['community_id'], says: 'Community has a digest already' }],
})
