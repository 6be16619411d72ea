import { parseStream } from '../kernel/decider.ts'
import type { Family } from '../kinds/family.ts'
import { blobOf, partsOf } from './files.ts'
import { image } from './image.ts'

/** What people look at. */
export const media: Family = {
  resources: [image],
  leavings: [
    { on: 'ImageRemoved', blobs: ({ stream }) => [{ name: blobOf(parseStream(stream).id) }] },
    {
      on: 'ImageReplaced',
      blobs: ({ stream, data }) =>
        partsOf(Number(data.replaced_file)).map((part) => ({ name: blobOf(parseStream(stream).id), part })),
    },
  ],
}
