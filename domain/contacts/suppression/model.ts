import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { choice, data, moment, reference, text } from '../../kernel/model/fields.ts'
import { model, type RecordOf } from '../../kernel/model/model.ts'
import type { SoftBounces } from '../contact/event-data.ts'
import { REASONS, type SuppressionReason } from './reasons.ts'

/** What was done to a suppression, and why. */
export type SuppressionEntry = {
  readonly at: string
  readonly what: 'suppressed' | 'lifted' | 'unsubscribed' | 'resubscribed'
  readonly reason: string | null
  /** Why, in the words of who did it. */
  readonly note: string | null
  readonly by: string | null
}

/** Entries that a suppression shows. All of them stay in its history. */
const MOST_ENTRIES = 50

type Entry = Partial<Omit<SuppressionEntry, 'at' | 'what'>>

const withEntry = (
  log: readonly SuppressionEntry[] = [],
  at: string,
  what: SuppressionEntry['what'],
  { reason = null, note = null, by = null }: Entry,
): readonly SuppressionEntry[] => [...log, { at, what, reason, note, by }].slice(-MOST_ENTRIES)

type Suppressed = { readonly reason: SuppressionReason; readonly note: string | null; readonly by: string }
type Done = { readonly note: string | null; readonly by: string }

/**
 * What is known of a mailbox of a workspace as far as mail to it goes. It is named by a keyed digest alone, so that it outlives the contact: whoever had the address before, and
 * whoever gets it.
 */
export const suppression = model('contacts/suppression', {
  attributes: {
    /** Digest by which contacts with the address are found. */
    digest: managed(text({ required: true }), { shown: 'never' }),
    /** Contact that had the address when something became known of it last. */
    contact_id: managed(reference('contact', { nullable: true, onTargetEnd: 'keep' }), { shown: 'never' }),
    /** Why nothing is mailed to it; `null`: nothing is against that. */
    reason: managed(choice([...REASONS], { nullable: true })),
    suppressed_at: managed(moment()),
    /** When somebody unsubscribed who had it. Only they come back. */
    unsubscribed_at: managed(moment()),
    soft_bounces: managed(data<SoftBounces | null>(Type.Unknown(), { nullable: true }), { shown: 'never' }),
    log: managed(
      data<readonly SuppressionEntry[], { default: [] }>(
        Type.Array(
          Type.Object({
            at: Type.String(),
            what: Type.String(),
            reason: Type.Union([Type.String(), Type.Null()]),
            note: Type.Union([Type.String(), Type.Null()]),
            by: Type.Union([Type.String(), Type.Null()]),
          }),
        ),
        { default: [] },
      ),
    ),
  },
  events: {
    MailboxNoted: { creates: true, only: ['digest', 'contact_id'] },
    /** Another contact has the address. */
    MailboxTakenOver: { sets: ['contact_id'] },
    MailboxSuppressed: {
      evolve: (before, { reason, note, by }: Suppressed, { at }) => ({
        reason,
        suppressed_at: at,
        log: withEntry(before?.log, at, 'suppressed', { reason, note, by }),
      }),
    },
    MailboxSoftBounced: { sets: ['soft_bounces'] },
    MailboxSuppressionLifted: {
      evolve: (before, { note, by }: Done, { at }) => ({
        reason: null,
        suppressed_at: null,
        soft_bounces: null,
        log: withEntry(before?.log, at, 'lifted', { reason: before?.reason ?? null, note, by }),
      }),
    },
    MailboxUnsubscribed: {
      evolve: (before, _: Record<never, never>, { at }) => ({
        unsubscribed_at: at,
        log: withEntry(before?.log, at, 'unsubscribed', {}),
      }),
    },
    MailboxResubscribed: {
      evolve: (before, _: Record<never, never>, { at }) => ({
        unsubscribed_at: null,
        log: withEntry(before?.log, at, 'resubscribed', {}),
      }),
    },
  },
  derives: {
    version: 1,
    of: ({ reason, unsubscribed_at }) => ({
      is_suppressed: reason !== null,
      is_unsubscribed: unsubscribed_at !== null,
    }),
  },
  unique: [{ attributes: ['digest'], says: 'The address is in the list already' }],
})

export type ContactSuppression = RecordOf<typeof suppression>
