import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { boundTo } from '../../domain/kernel/decide/bound-reader.ts'
import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { DownloadedFile, StoredFile } from '../../domain/resources/attributes/stored-file.ts'
import type { TargetFile } from '../../domain/resources/jobs/target-file.ts'
import type { FileOf } from '../../domain/resources/view-types.ts'
import { DOWNLOADS, type DownloadLinks } from '../download-links.ts'
import type { ApiContext, Next } from '../http/context.ts'
import { csvOf } from './csv.ts'
import { rangeIn, within } from './range.ts'

type Pieces = AsyncIterable<string | Uint8Array>

/** Dependencies of downloads. */
export interface DownloadDeps {
  readonly everywhere: ReadModels
  readonly vault: Vault
  readonly blobs: Blobs
  readonly links: DownloadLinks
  /** By resource. */
  readonly files: ReadonlyMap<string, DownloadedFile>
  readonly logger: Logger
}

/** Logs an error and passes it on, which cuts the connection. The client cannot be told otherwise, and a file that ends early must not look complete. */
async function* logged(pieces: Pieces, logger: Logger, about: object): AsyncGenerator<string | Uint8Array> {
  try {
    yield* pieces
  } catch (error) {
    logger.error({ ...about, err: error }, 'a download broke off')
    throw error
  }
}

/** Whether a file is stored as it was uploaded, and not made by a job from rows. */
const isStored = (file: DownloadedFile): file is Exclude<DownloadedFile, TargetFile> => typeof file === 'function'

/** Returns the record of a file. @throws {Refusal} not found, when there is none or its job has not completed */
const recordOf = async ({ everywhere: live }: DownloadDeps, { resource, id, workspaceId }: FileOf, isMade: boolean) => {
  const found = await boundTo(live, { workspaceId }).get(resource, id)
  if (!found || (isMade && found.status !== 'completed')) throw refuse.notFound()
  return found
}

/** Returns the `Content-Disposition` header that gives a file its name, in any script (RFC 6266). */
const attached = (name: string): string => {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`
}

/** File that is downloaded: its blob, its headers and its bytes. */
interface Found {
  readonly blob: string
  readonly part: number
  readonly headers: Readonly<Record<string, string>>
  /** Its length, where it is known before. */
  readonly bytes?: number
  pieces(): Pieces
}

/** Types of files that are played in lessons, by the ends of their names. Browsers are told no other type. */
const PLAYED: Readonly<Record<string, string>> = {
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  ogv: 'video/ogg',
  webm: 'video/webm',
}

const typeOf = (name: string): string =>
  PLAYED[/\.([a-z0-9]{2,4})$/i.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream'

const storedOf = ({ blobs }: DownloadDeps, { blob, part, name, bytes }: StoredFile): Found => ({
  ...{ blob, part },
  headers: {
    'Content-Type': typeOf(name),
    'Content-Length': String(bytes),
    'Content-Disposition': attached(name),
    'Accept-Ranges': 'bytes',
  },
  bytes,
  pieces: () => blobs.read(blob, part),
})

const madeOf = (service: DownloadDeps, file: TargetFile, { resource, id }: FileOf, job: Document): Found => {
  const blob = `${resource}-${id}`
  return {
    ...{ blob, part: 0 },
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${file.name}-${id}.csv"`,
    },
    pieces: () => csvOf(service, blob, file.header(job)),
  }
}

/** Returns what is asked for of a file: all of it, or the part that a player needs next. */
const asked = (ctx: ApiContext, { bytes, pieces }: Found): Pieces => {
  const range = bytes === undefined || ctx.get('If-Range') !== '' ? undefined : rangeIn(ctx.get('Range'), bytes)
  if (range === undefined) return pieces()
  ctx.status = range === 'none' ? 416 : 206
  const { first, last } = range === 'none' ? { first: 0, last: -1 } : range
  ctx.set({
    'Content-Range': range === 'none' ? `bytes */${bytes}` : `bytes ${first}-${last}/${bytes}`,
    'Content-Length': String(last - first + 1),
  })
  return within(pieces(), { first, last })
}

/** Streams the file of a signed link. The file is never in memory as a whole. */
export const downloads = (service: DownloadDeps) =>
  async function download(ctx: ApiContext, next: Next): Promise<unknown> {
    const { blobs, links, files, logger } = service
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    if (!isRead || !ctx.path.startsWith(DOWNLOADS)) return next()
    ctx.state.operation = 'download'
    const requested = links.fileIn(ctx.URL)
    const file = requested && files.get(requested.resource)
    if (!requested || !file) return next()
    const record = await recordOf(service, requested, !isStored(file))
    const found = isStored(file) ? storedOf(service, file(record)) : madeOf(service, file, requested, record)
    const { blob, part, headers } = found
    if (!(await blobs.has(blob, part))) throw refuse.notFound('Not found: The file is gone')
    ctx.set({ ...headers, 'X-Content-Type-Options': 'nosniff' })
    const about = { request_id: ctx.state.requestId, blob }
    ctx.body = Readable.from(logged(asked(ctx, found), logger, about))
    return undefined
  }
