import { openDocument } from '../../domain/kernel/model/personal.ts'
import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import { nextTurn, timeSlices } from '../../domain/kernel/values/turns.ts'
import type { Audience } from '../../domain/resources/jobs/audience.ts'
import { completed, findSelected } from '../../domain/resources/selected.ts'

/** Dependencies for finding an audience. */
export interface Readers {
  readonly live: ReadModels
  /** Opens documents for the `test` of an audience, which may need sealed data. */
  readonly vault: Vault
}

/** Part of an audience, in its order. */
export interface Page {
  readonly documents: readonly Document[]
  /** Id after which the next page begins; 0: there is none. */
  readonly next: number
}

/** Records that are read together; many of them may be no targets. */
const PAGE = 200

/**
 * Returns the targets after a cursor that are in the next page of records.
 *
 * @param after 0: from the beginning
 */
export const targetsAfter = async (
  { live, vault }: Readers,
  resource: string,
  audience: Audience,
  after: number,
): Promise<Page> => {
  const { where, test, sort, until } = audience
  const query = { where, ...(sort && { sort }), ...(after > 0 && { after }), limit: PAGE }
  const found = await findSelected(live, resource, query, audience)
  const next = found.length < PAGE ? 0 : Number(found.at(-1)!.id)
  const begun = until === undefined ? found : found.filter(({ created_at }) => String(created_at) <= until)
  if (!test) return { documents: begun, next }
  const opened = await Promise.all(begun.map((document) => openDocument(vault, document)))
  const slice = timeSlices()
  const documents: Document[] = []
  for (const document of await completed(opened, audience, live)) {
    if (test(document)) documents.push(document)
    await slice()
  }
  return { documents, next }
}

/**
 * Counts the records of an audience.
 *
 * @returns `undefined` when it was stopped before the end
 */
export const countTargets = async (
  readers: Readers,
  resource: string,
  audience: Audience,
  stopping: () => boolean,
): Promise<number | undefined> => {
  if (!audience.test) return readers.live.count(resource, audience.where)
  let count = 0
  let after = 0
  do {
    if (stopping()) return undefined
    const { documents, next } = await targetsAfter(readers, resource, audience, after)
    count += documents.length
    after = next
    await nextTurn()
  } while (after > 0)
  return count
}
