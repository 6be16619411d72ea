import { contactTargets as targets } from '../../domain/contacts/public.ts'
import type { broadcast } from '../../domain/emails/broadcast/model.ts'
import { MOST_RECIPIENTS } from '../../domain/emails/mailing/outcomes.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import { isJsonObject } from '../../domain/kernel/values/event.ts'
import { nextTurn } from '../../domain/kernel/values/turns.ts'
import { type Audience, audienceOf } from '../../domain/resources/jobs/audience.ts'
import { type Readers, targetsAfter } from '../reactor/targets.ts'

type Broadcast = RecordOf<typeof broadcast>

/** Dependencies of resolving an audience. */
export interface AudienceDeps extends Readers {
  readonly blobs: Blobs
}

/** Returns the name of the blob with the audience of a broadcast: a part for each piece. */
const nameOf = (id: number): string => `emails/broadcast-${id}`

const conditionsOf = async ({ vault }: AudienceDeps, of: Broadcast, at: string): Promise<Audience> => {
  const token = (purpose: string, value: string) => vault.token(purpose, value)
  const open = (subject: number, sealed: string) => vault.open(subject, sealed)
  const filter = isJsonObject(of.filter) ? await targets.filters.opened(of.filter, open) : undefined
  return audienceOf(targets, { ...of, target_ids: of.contact_ids, ...(filter && { filter }) }, { at, token })
}

/**
 * Finds the contacts of an audience and stores their ids, a part for each piece. It begins anew after a kill: nothing is fixed before all are stored.
 *
 * @returns how many there are; `undefined`: the process is stopping
 */
export const storeAudience = async (
  deps: AudienceDeps,
  of: Broadcast,
  at: string,
  stopping: () => boolean,
): Promise<number | undefined> => {
  const audience = await conditionsOf(deps, of, at)
  const write = (piece: number, ids: readonly number[]) => deps.blobs.write(nameOf(of.id), piece, [JSON.stringify(ids)])
  let [after, count, piece] = [0, 0, 0]
  const ids: number[] = []
  do {
    if (stopping()) return undefined
    const { documents, next } = await targetsAfter(deps, targets.resource, audience, after)
    ids.push(...documents.map(({ id }) => Number(id)))
    count += documents.length
    while (ids.length >= MOST_RECIPIENTS) await write(piece++, ids.splice(0, MOST_RECIPIENTS))
    after = next
    await nextTurn()
  } while (after > 0)
  if (ids.length > 0) await write(piece, ids)
  return count
}

/** Reads the contacts of one piece. */
export const readPiece = async ({ blobs }: AudienceDeps, id: number, piece: number): Promise<readonly number[]> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of blobs.read(nameOf(id), piece)) chunks.push(chunk)
  const ids: unknown = JSON.parse(Buffer.concat(chunks).toString())
  return Array.isArray(ids) ? ids.map(Number) : []
}

/** Removes a stored audience. */
export const dropAudience = ({ blobs }: AudienceDeps, id: number): Promise<void> => blobs.remove(nameOf(id))
