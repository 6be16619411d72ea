import { parseStream } from '../kernel/values/stream-name.ts'
import type { Family } from '../resources/family.ts'
import { assetResource, download, downloadBlob, downloadResource } from './download.ts'
import { blobOf, partsOf } from './files.ts'
import { image } from './image.ts'

/** Images and downloads. */
export const media: Family = {
  resources: [image, downloadResource, assetResource],
  orphanedBlobs: [
    { on: image.model.event.ImageRemoved, blobs: ({ stream }) => [{ name: blobOf(parseStream(stream).id) }] },
    {
      on: image.model.event.ImageReplaced,
      blobs: ({ stream, data }) =>
        partsOf(Number(data.replaced_file)).map((part) => ({ name: blobOf(parseStream(stream).id), part })),
    },
    {
      on: download.event.DownloadReplaced,
      blobs: ({ stream, data }) => [{ name: downloadBlob(parseStream(stream).id), part: Number(data.replaced_file) }],
    },
  ],
}
