import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { FileSource, Files } from '../../domain/kernel/ports/files.ts'
import type { Outbound } from '../../domain/kernel/ports/outbound.ts'
import { fairTurns, laterIfNoTurn } from '../fair-turns.ts'

const MOST_BYTES = 50 * 1024 * 1024

/** Files under way at a time, each of which is held in memory as a whole. Others are not fetched before their turn. */
const TURNS = { atOnce: 8, perKey: 2, waitingPerKey: 50, waitMs: 30_000 }
const later = laterIfNoTurn('Too many files are being added at the moment')

/** Fetches files through the guarded client and stores them as blobs. */
export const fetchedFiles = (outbound: Pick<Outbound, 'get'>, blobs: Pick<Blobs, 'write'>): Files => {
  const turns = fairTurns(TURNS)
  const fetched = async ({ url, blob, part }: FileSource) => {
    const response = await outbound.get({ url, accept: '*/*', mostBytes: MOST_BYTES })
    if (response.kind !== 'fetched') return `could not be fetched: ${response.reason}`
    await blobs.write(blob, part, [response.content])
    return { bytes: response.content.length }
  }
  return { take: (source) => turns.run(source.workspaceId, () => fetched(source)).catch(later) }
}
