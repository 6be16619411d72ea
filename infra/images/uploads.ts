import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { FileSource } from '../../domain/kernel/ports/files.ts'
import type { Images } from '../../domain/kernel/ports/images.ts'
import type { Outbound } from '../../domain/kernel/ports/outbound.ts'
import { fairTurns, laterIfNoTurn } from '../fair-turns.ts'
import type { ImageDecoding } from './decoding.ts'
import { type FailedSizes, setFailed } from './sizes.ts'

const MOST_BYTES = 10 * 1024 * 1024
/** Uploads under way at a time, each with at most ten megabytes in memory. Others are not fetched before their turn. */
const TURNS = { atOnce: 24, perKey: 3, waitingPerKey: 100, waitMs: 20_000 }

interface UploadDeps {
  readonly outbound: Pick<Outbound, 'get'>
  readonly blobs: Pick<Blobs, 'write'>
  readonly decoding: ImageDecoding
  readonly failed: FailedSizes
}

const later = laterIfNoTurn('Too many images are being added at the moment')

/** Returns a function that fetches images and stores them without what they do not need. */
export const uploadsTo = ({ outbound, blobs, decoding, failed }: UploadDeps): Images['take'] => {
  const turns = fairTurns(TURNS)
  const upload = async ({ url, workspaceId, blob, part }: FileSource) => {
    const response = await outbound.get({ url, accept: 'image/*', mostBytes: MOST_BYTES })
    if (response.kind !== 'fetched') return `could not be fetched: ${response.reason}`
    const image = await decoding.clean(workspaceId, response.content)
    if (typeof image === 'string') return image
    const hasSizes = await decoding.check(workspaceId, image)
    if (typeof hasSizes === 'string') return hasSizes
    await blobs.write(blob, part, [image.content])
    if (!hasSizes) setFailed(failed, blob, part)
    return { content_type: image.type }
  }
  return (source) => turns.run(source.workspaceId, () => upload(source)).catch(later)
}
