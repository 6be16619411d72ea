import type { Documents } from '../../kernel/decide/command.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { type MaybePromise, mapMaybe } from '../../kernel/values/maybe-promise.ts'
import type { contact } from '../contact/model.ts'
import { suppression } from './model.ts'
import { isStronger } from './reasons.ts'

type Suppression = RecordOf<typeof suppression>

/** What is known of mailboxes, by the digests of their addresses. */
export type KnownMailboxes = ReadonlyMap<string, Suppression>

const open = recordOf(suppression)

/** Reads what is known of mailboxes of a workspace, in one look-up. Those of which nothing is known are absent. */
export const knownMailboxes = async (
  documents: Pick<Documents, 'find'>,
  workspaceId: number,
  digests: readonly string[],
): Promise<KnownMailboxes> => {
  if (digests.length === 0) return new Map()
  const where = { workspace_id: workspaceId, digest: { $in: [...digests] } }
  const found = (await documents.find(suppression.name, { where })).map(open)
  return new Map(found.map((one) => [one.digest, one]))
}

/** Reads what is known of one mailbox of a workspace; `undefined`: nothing. */
export const knownMailbox = (
  documents: Pick<Documents, 'find'>,
  workspaceId: number | undefined,
  digest: string,
): MaybePromise<Suppression | undefined> =>
  workspaceId === undefined
    ? undefined
    : mapMaybe(documents.find(suppression.name, { where: { workspace_id: workspaceId, digest } }), ([found]) =>
        found ? open(found) : undefined,
      )

/** Returns a contact with what is known of its mailbox, whether it has heard of that or not. */
export const withMailbox = <C extends Pick<RecordOf<typeof contact>, 'email_suppression_reason' | 'unsubscribed_at'>>(
  one: C,
  known: Suppression | undefined,
): C =>
  known
    ? {
        ...one,
        email_suppression_reason: isStronger(known.reason, one.email_suppression_reason)
          ? known.reason
          : one.email_suppression_reason,
        unsubscribed_at: one.unsubscribed_at ?? known.unsubscribed_at,
      }
    : one
