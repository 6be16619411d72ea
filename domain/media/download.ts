import { decider } from '../kernel/decide/decider.ts'
import { managed } from '../kernel/model/field.ts'
import { integer, reference, text } from '../kernel/model/fields.ts'
import { model } from '../kernel/model/model.ts'
import { refuse } from '../kernel/values/refusal.ts'
import { downloadLink } from '../resources/download-link.ts'
import type { WriteInput } from '../resources/operation.ts'
import { list, show, workspace } from '../resources/operations.ts'
import { serve } from '../resources/serve.ts'
import { changes, creates } from '../resources/writes.ts'
import { requiredSourceUrl, sourceUrl } from './source-url.ts'

type Added = { readonly asset_id: number }

/** Asset, to which variants give access. It stays the same when the file is replaced. */
export const asset = model('asset', {
  stream: 'download',
  owner: 'download_id',
  attributes: {},
  events: { DownloadAdded: { of: ({ asset_id }: Added) => [asset_id], evolve: () => ({}) } },
})

/** File that is sold (spec 2.3). */
export const download = model('download', {
  attributes: {
    asset_id: managed(reference('asset', { required: true })),
    name: text({ nullable: true, about: 'Absent: the name that the file has in its address' }),
    file: managed(integer({ required: true }), { shown: 'never' }),
    file_name: managed(text({ required: true })),
    file_size: managed(integer({ required: true })),
  },
  events: {
    DownloadAdded: { creates: true },
    DownloadReplaced: {
      sets: ['file', 'file_name', 'file_size'],
      addsData: ({ file }) => ({ replaced_file: file }),
    },
    DownloadChanged: { changes: 'rest' },
  },
  children: { assets: { model: asset, key: 'asset_id' } },
})
const downloads = decider(download)

const UNNAMED = 'file'
/** Characters that file systems refuse in a name, or that would end a header. */
const UNSAFE = /[\p{C}/\\:*?"<>|]/gu

/** Returns the last segment of an address as the name of a file. */
const fileNameOf = (url: string): string => {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last).replace(UNSAFE, '').trim().slice(-200) || UNNAMED
  } catch {
    return UNNAMED
  }
}

/** Returns the name of the blob with all files that a download has had. */
export const downloadBlob = (id: number): string => `download-${id}`

/** Returns the input of the command. A file at an address is stored first, so that no event names a missing file. */
const uploaded = async (input: WriteInput) => {
  const { id, exists, mint, external } = input
  const { upload_source_url: url, ...fields } = input.fields
  if (typeof url !== 'string') return fields
  const file = mint(download)
  const workspaceId = Number((input.document ?? input.owner)?.workspace_id)
  const stored = await external.files.take({ url, workspaceId, blob: downloadBlob(id), part: file })
  if (typeof stored === 'string') return refuse.invalid(`Upload source url ${stored}`, 'upload_source_url', 'file')
  const file_name = fileNameOf(url)
  return {
    ...(!exists && { name: file_name, asset_id: mint(asset) }),
    ...fields,
    ...{ file, file_name, file_size: stored.bytes },
  }
}

const DOWNLOADS = '/workspaces/{workspace_id}/downloads'
const about = 'Where the file is fetched from, when it is sent; at most 50 MB'
const beyondContract = true

/** Asset: the part of a download that variants refer to. */
export const assetResource = serve(asset, downloads, {
  ...{ title: 'Asset', root: 'asset', category: 'media' },
  under: { param: 'download_id', resource: 'download', field: 'download_id' },
  operations: {},
})

/** Download: a file of the workspace. */
export const downloadResource = serve(download, downloads, {
  title: 'Download',
  root: 'download',
  category: 'media',
  under: workspace,
  view: { file_url: downloadLink(download) },
  file: ({ id, file, file_name, file_size }) => ({
    ...{ blob: downloadBlob(id), part: file, name: file_name, bytes: file_size },
  }),
  operations: {
    listDownloads: list(DOWNLOADS),
    createDownloads: creates(DOWNLOADS, {
      beyondContract,
      input: { upload_source_url: requiredSourceUrl(about) },
      targets: ['upload_source_url'],
      wanted: uploaded,
    }),
    getDownloads: show('/downloads/{id}'),
    updateDownloads: changes('/downloads/{id}', {
      consequence: 'replaces what buyers get',
      beyondContract,
      input: { upload_source_url: sourceUrl(about) },
      targets: ['upload_source_url'],
      wanted: uploaded,
    }),
  },
})
