import { Type } from 'typebox'
import { managed } from '../kernel/model/field.ts'
import { integer, text } from '../kernel/model/fields.ts'
import { refuse } from '../kernel/values/refusal.ts'
import type { WriteInput } from '../resources/operation.ts'
import { byId, list, show, workspace } from '../resources/operations.ts'
import { record } from '../resources/record.ts'
import { changes, creates, removes } from '../resources/writes.ts'
import { blobOf, KEY_LENGTH, partOf } from './files.ts'
import { urlOfImage } from './image-url.ts'
import { requiredSourceUrl, sourceUrl } from './source-url.ts'

const IMAGE = { name: 'image' } as const

/** Returns the input of the command. An image at an address is stored first, so that no event names a missing file. */
const uploaded = async (input: WriteInput) => {
  const { id, mint, token, external } = input
  const { upload_source_url: url, ...fields } = input.fields
  if (typeof url !== 'string') return fields
  const file = mint(IMAGE)
  const workspaceId = Number((input.document ?? input.owner)?.workspace_id)
  const stored = await external.images.take({ url, workspaceId, blob: blobOf(id), part: partOf(file) })
  if (typeof stored !== 'string') return { ...fields, ...stored, file, key: token(KEY_LENGTH) }
  return refuse.invalid(`Upload source url ${stored}`, 'upload_source_url', 'image')
}

const about = 'Where the image is fetched from, when it is sent'

/** Image of at most 10 MB and 10,000 × 10,000 pixels. It is stored without its metadata, and also served in five other sizes. */
export const image = record({
  ...IMAGE,
  title: 'Image',
  root: 'image',
  category: 'media',
  under: workspace,
  attributes: {
    alt_text: text({ nullable: true }),
    name: text({ nullable: true }),
    file: managed(integer({ required: true }), { shown: 'never' }),
    key: managed(text({ required: true }), { shown: 'never' }),
    content_type: managed(text({ required: true }), { shown: 'never' }),
  },
  events: {
    ImageUploaded: { creates: true },
    ImageReplaced: {
      sets: ['file', 'key', 'content_type'],
      addsData: ({ file }) => ({ replaced_file: file }),
    },
    ImageChanged: { changes: 'rest' },
    ImageRemoved: { ends: true },
  },
  view: {
    url: {
      schema: Type.String({
        description:
          'Where the image is served to everybody; in another size below it: `/thumbnail`, `/small`, `/medium`, `/large`, `/x-large`',
      }),
      of: urlOfImage,
    },
  },
  operations: {
    listImages: list('/workspaces/{workspace_id}/images', { filters: { id: byId } }),
    createImages: creates('/workspaces/{workspace_id}/images', {
      input: { upload_source_url: requiredSourceUrl(about) },
      targets: ['upload_source_url'],
      wanted: uploaded,
    }),
    getImages: show('/images/{id}'),
    updateImages: changes('/images/{id}', {
      input: { upload_source_url: sourceUrl(about) },
      targets: ['upload_source_url'],
      wanted: uploaded,
    }),
    removeImages: removes('/images/{id}'),
  },
})
