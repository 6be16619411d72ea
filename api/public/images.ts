import { Readable } from 'node:stream'
import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { blobOf, IMAGES, imageAt, isSize, partOf, type Size } from '../../domain/media/files.ts'
import type { ApiContext, Next } from '../http/context.ts'

/** Dependencies of images. */
export interface ImageDeps {
  readonly everywhere: ReadModels
  readonly blobs: Blobs
  readonly imageStore: {
    sized(
      of: { readonly id: number; readonly file: number; readonly type: string; readonly workspaceId: number },
      size: Size,
    ): Promise<{ readonly part: number; readonly type: string; readonly isStandIn: boolean }>
  }
}

const HEADERS = {
  // Every upload has its own address, so an image never changes.
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
  // An image that is opened on its own, above all an SVG, runs nothing, loads nothing and has no origin.
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** How long the original may be kept in place of a size that could not be made. */
const STAND_IN = 'public, max-age=3600'

/** Streams an image, as it was uploaded or in a size, to everyone who has its address. */
export const images = ({ everywhere: live, blobs, imageStore }: ImageDeps) =>
  async function image(ctx: ApiContext, next: Next): Promise<unknown> {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    if (!isRead || !ctx.path.startsWith(IMAGES)) return next()
    ctx.state.operation = 'image'
    const address = imageAt(ctx.path)
    const found = address && (await live.get('image', address.id))
    if (!address || !found) throw refuse.notFound()
    const { key, size } = address
    if (found.key !== key || !(size === undefined || isSize(size))) throw refuse.notFound()
    const of = {
      id: Number(found.id),
      file: Number(found.file),
      type: String(found.content_type),
      workspaceId: Number(found.workspace_id),
    }
    if (!(await blobs.has(blobOf(of.id), partOf(of.file)))) throw refuse.notFound('Not found: The file is gone')
    const original = { part: partOf(of.file), type: of.type, isStandIn: false }
    const { part, type, isStandIn } = size === undefined ? original : await imageStore.sized(of, size)
    const version = size === undefined || isStandIn ? key : `${key}-${size}`
    ctx.set({ ...HEADERS, 'Content-Type': type, ETag: `"${version}"` })
    if (isStandIn) ctx.set('Cache-Control', STAND_IN)
    ctx.status = 200
    if (ctx.fresh) {
      ctx.status = 304
      return undefined
    }
    ctx.body = Readable.from(blobs.read(blobOf(of.id), part))
    ctx.type = type
    return undefined
  }
