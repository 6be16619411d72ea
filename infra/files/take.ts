import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { Files } from '../../domain/kernel/ports/files.ts'
import type { Outbound } from '../../domain/kernel/ports/outbound.ts'

const MOST_BYTES = 50 * 1024 * 1024

/** Files fetched through the guarded client and kept as blobs; they are whole in memory on their way. */
export const fetchedFiles = (outbound: Pick<Outbound, 'get'>, blobs: Pick<Blobs, 'write'>): Files => ({
  async take(url, blob, part) {
    const got = await outbound.get({ url, accept: '*/*', mostBytes: MOST_BYTES })
    if (got.kind !== 'fetched') return `could not be fetched: ${got.reason}`
    await blobs.write(blob, part, [got.content])
    return { bytes: got.content.length }
  },
})
