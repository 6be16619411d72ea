import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { Files } from '../../domain/kernel/ports/files.ts'
import type { Outbound } from '../../domain/kernel/ports/outbound.ts'

const MOST_BYTES = 50 * 1024 * 1024

/** Fetches files through the guarded client and stores them as blobs. A file is held in memory as a whole. */
export const fetchedFiles = (outbound: Pick<Outbound, 'get'>, blobs: Pick<Blobs, 'write'>): Files => ({
  async take(url, blob, part) {
    const response = await outbound.get({ url, accept: '*/*', mostBytes: MOST_BYTES })
    if (response.kind !== 'fetched') return `could not be fetched: ${response.reason}`
    await blobs.write(blob, part, [response.content])
    return { bytes: response.content.length }
  },
})
