import { createHash } from 'node:crypto'
import type { Fingerprint, Fingerprints } from '../domain/kernel/ports/read-models.ts'

/** Name of the note about the whole version among the fingerprints. No collection has this name. */
const VERSION = '*'
/** Highest number of versions that are remembered as replaced. */
const MOST_REPLACED = 100

const versionOf = (declared: Fingerprints): string =>
  createHash('sha256')
    .update(JSON.stringify([...declared]))
    .digest('hex')
    .slice(0, 16)

/** Returns the fingerprints of the collections alone. */
export const ofCollections = (built: Fingerprints | undefined): Fingerprints | undefined =>
  built && new Map([...built].filter(([name]) => name !== VERSION))

/** Whether another version has built the documents after this one. That version is then newer, and its documents must not be undone. */
export const isReplaced = (declared: Fingerprints, built: Fingerprints | undefined): boolean =>
  built?.get(VERSION)?.attributes.includes(versionOf(declared)) ?? false

/** Whether it is noted that the documents follow this version. */
export const isNoted = (declared: Fingerprints, built: Fingerprints | undefined): boolean =>
  built?.get(VERSION)?.documents === versionOf(declared)

/** Returns the fingerprints with a note that the documents follow this version from now on, and which versions it has replaced. */
export const withVersion = (
  fingerprints: Fingerprints,
  declared: Fingerprints,
  built: Fingerprints | undefined,
): Fingerprints => new Map([...fingerprints, [VERSION, noteOf(versionOf(declared), built?.get(VERSION))]])

const noteOf = (version: string, before: Fingerprint | undefined): Fingerprint => {
  if (before?.documents === version) return before
  const replaced = before?.attributes ?? []
  // An operator who returns to an older version on purpose can go forward again: neither version has replaced the other.
  const isReturn = replaced.includes(version)
  const now = isReturn
    ? replaced.filter((each) => each !== version)
    : [...replaced, ...(before ? [before.documents] : [])]
  return { documents: version, indexes: [], attributes: now.slice(-MOST_REPLACED) }
}
