import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import { isJsonObject } from '../../domain/kernel/values/event.ts'
import { Refusal, refuse } from '../../domain/kernel/values/refusal.ts'
import { streamOf } from '../../domain/kernel/values/stream-name.ts'
import type { Job } from '../../domain/resources/jobs/job.ts'
import { type SealedRow, serializeRows, type TargetFile } from '../../domain/resources/jobs/target-file.ts'
import type { Loader } from '../../domain/resources/view-types.ts'
import { type Progress, readProgress } from '../reactor/progress.ts'
import type { BatchTurn } from '../reactor/reaction.ts'

/** Dependencies for writing rows. */
export interface RowDeps {
  readonly vault: Vault
  readonly blobs: Blobs
  /** Creates a loader that reads targets together. */
  readonly loader: () => Pick<Loader, 'one'>
}

/** Returns the name of the blob with the rows of a job. */
export const rowsName = ({ resource }: Pick<Job, 'resource'>, id: number): string => streamOf(resource, id)

/** How a job processes the records of its batch. */
export interface RecordProcessor {
  /** Turn of the batch. */
  readonly turn: BatchTurn
  /** Processes one record. @returns why that was not possible */
  perform(target: number): Promise<string | undefined>
  /** Called after the last record. */
  end(): Promise<void>
}

interface RowWriterOptions {
  readonly job: Extract<Job, { readonly file: TargetFile }>
  readonly queued: Document
  /** Progress to begin with if no cursor is stored. */
  readonly from: Progress
}

/**
 * Begins or continues the file of a job. Each page of the batch becomes a part, named by the cursor after which the page
 * begins. The part is on disk before the progress is stored, so a page may be done again after a kill; it then replaces
 * its earlier part. Memory holds one page.
 */
export const rowWriter = async (
  { vault, blobs, loader }: RowDeps,
  turn: BatchTurn,
  { job, queued, from }: RowWriterOptions,
): Promise<RecordProcessor> => {
  const { resource } = job.targets
  const name = rowsName(job, Number(queued.id))
  const stored = await turn.cursor()
  let partStart = isJsonObject(stored) ? readProgress(stored).cursor : from.cursor
  let rows: (SealedRow & { readonly target: number })[] = []
  let load = loader()

  const write = async (next: number): Promise<void> => {
    const inOrder = rows.sort((a, b) => a.target - b.target)
    await blobs.write(name, partStart, serializeRows(inOrder, next))
    partStart = next
    rows = []
    load = loader()
  }

  return {
    async perform(target) {
      const document = await load.one(resource, target)
      const { person: of } = job.file
      const about = of && document ? await load.one(of.resource, Number(document[of.field])) : document
      const row = document && about ? job.file.row(queued, document, about) : refuse.notFound()
      if (row instanceof Refusal) return row.message
      const person = Number(about?.id)
      rows.push({ target, person, sealed: await vault.seal(person, { row }) })
      return undefined
    },
    turn: {
      ...turn,
      async saveCursor(value) {
        if (isJsonObject(value)) await write(readProgress(value).cursor)
        await turn.saveCursor(value)
      },
    },
    end: () => write(0),
  }
}
