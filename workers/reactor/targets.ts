import { openDocument } from '../../domain/kernel/model/personal.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import type { Audience } from '../../domain/resources/jobs/audience.ts'
import { nextTurn } from '../../projections/turns.ts'

/** What an audience is looked up in. */
export interface Readers {
  readonly live: ReadModels
  /** Opens documents for what only the opened one can answer. */
  readonly vault: Vault
}

/** Some of an audience, in the order of ids. */
export interface Page {
  readonly ids: readonly number[]
  /** Behind which the next page begins; 0: there is none. */
  readonly next: number
}

/** Records that are looked at together: many of them may be no targets. */
const PAGE = 200

/**
 * The targets behind a cursor that are found by looking at one page of records.
 *
 * @param after 0: from the beginning
 */
export const targetsAfter = async (
  { live, vault }: Readers,
  resource: string,
  { where, test, sort }: Audience,
  after: number,
): Promise<Page> => {
  const found = await live.find(resource, { where, ...(sort && { sort }), ...(after > 0 && { after }), limit: PAGE })
  const next = found.length < PAGE ? 0 : Number(found.at(-1)!.id)
  const meant = test
    ? (await Promise.all(found.map((document) => openDocument(vault, document)))).filter((document) => test(document))
    : found
  return { ids: meant.map(({ id }) => Number(id)), next }
}

/**
 * How many an audience has.
 *
 * @returns `undefined` when it was to stop before that was known
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
    const { ids, next } = await targetsAfter(readers, resource, audience, after)
    count += ids.length
    after = next
    await nextTurn()
  } while (after > 0)
  return count
}
