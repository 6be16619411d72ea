import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import { refuse } from '../../domain/kernel/refusal.ts'
import type { FileOf } from '../../domain/kinds/showing.ts'
import type { TargetFile } from '../../domain/kinds/target-file.ts'
import type { ApiContext, Next } from '../http/context.ts'
import { csvOf } from './csv.ts'
import { DOWNLOADS, type DownloadLinks } from './links.ts'

/** What downloads are answered with. */
export interface Downloads {
  readonly live: ReadModels
  readonly vault: Vault
  readonly blobs: Blobs
  readonly links: DownloadLinks
  /** By resource. */
  readonly files: ReadonlyMap<string, TargetFile>
  readonly logger: Logger
}

/** What fails on the way cannot be told to the client any more but by cutting the connection: a file that ends early must not look whole. */
async function* logged(pieces: AsyncIterable<string>, logger: Logger, about: object): AsyncGenerator<string> {
  try {
    yield* pieces
  } catch (error) {
    logger.error({ ...about, err: error }, 'a download broke off')
    throw error
  }
}

/** The job that has made a file. @throws {Refusal} not found, where there is none or it has not ended */
const madeBy = async ({ live }: Downloads, { resource, id, workspaceId }: FileOf): Promise<Document> => {
  const job = await live.get(resource, id)
  if (job?.workspace_id !== workspaceId || job.status !== 'completed') throw refuse.notFound()
  return job
}

/** Streams the file that a signed link is of; it is never whole in memory. */
export const downloads = (service: Downloads) =>
  async function download(ctx: ApiContext, next: Next): Promise<unknown> {
    const { blobs, links, files, logger } = service
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    if (!isRead || !ctx.path.startsWith(DOWNLOADS)) return next()
    ctx.state.operation = 'download'
    const asked = links.fileIn(ctx.URL)
    const file = asked && files.get(asked.resource)
    if (!asked || !file) return next()
    const job = await madeBy(service, asked)
    const name = `${asked.resource}-${asked.id}`
    if (!(await blobs.has(name, 0))) throw refuse.notFound('Not found: The file is gone')
    ctx.set({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${file.name}-${asked.id}.csv"`,
    })
    const about = { request_id: ctx.state.requestId, blob: name }
    ctx.body = Readable.from(logged(csvOf(service, name, file.header(job)), logger, about))
    return undefined
  }
