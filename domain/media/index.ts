import { parseStream } from '../kernel/decider.ts'
import type { Family } from '../kinds/family.ts'
import { assetResource, downloadBlob, downloadResource } from './download.ts'
import { blobOf, partsOf } from './files.ts'
import { image } from './image.ts'

/** What people look at, and what they take home. */
export const media: Family = {
  resources: [image, downloadResource, assetResource],
  leavings: [
    { on: 'ImageRemoved', blobs: ({ stream }) => [{ name: blobOf(parseStream(stream).id) }] },
    {
      on: 'ImageReplaced',
      blobs: ({ stream, data }) =>
        partsOf(Number(data.replaced_file)).map((part) => ({ name: blobOf(parseStream(stream).id), part })),
    },
    {
      on: 'DownloadReplaced',
      blobs: ({ stream, data }) => [{ name: downloadBlob(parseStream(stream).id), part: Number(data.replaced_file) }],
    },
  ],
}
