import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import { isJsonObject } from '../../domain/kernel/values/event.ts'
import { Refusal, refuse } from '../../domain/kernel/values/refusal.ts'
import { streamOf } from '../../domain/kernel/values/stream-name.ts'
import type { Job } from '../../domain/resources/jobs/job.ts'
import { partOf, type SealedRow, type TargetFile } from '../../domain/resources/jobs/target-file.ts'
import type { Loader } from '../../domain/resources/view-types.ts'
import { type Progress, recordedIn } from '../reactor/progress.ts'
import type { BatchTurn } from '../reactor/reaction.ts'

/** What rows are made of and where they go. */
export interface RowDeps {
  readonly vault: Vault
  readonly blobs: Blobs
  /** Reads targets together. */
  readonly loader: () => Pick<Loader, 'one'>
}

/** The name of the blob with the rows of a job. */
export const rowsName = ({ resource }: Pick<Job, 'resource'>, id: number): string => streamOf(resource, id)

/** How a job does what it does along its walk. */
export interface Doing {
  /** The turn of the walk. */
  readonly turn: BatchTurn
  /** Does it to one. @returns why it could not be done */
  perform(target: number): Promise<string | undefined>
  /** When everybody has been come to. */
  end(): Promise<void>
}

interface Way {
  readonly job: Extract<Job, { readonly file: TargetFile }>
  readonly queued: Document
  /** How far the walk had got before anything was kept of it. */
  readonly from: Progress
}

/**
 * Begins, or goes on, with the file of a job. A page of the walk becomes a part under the cursor that it begins behind, so that a page that is done
 * again after a kill replaces what it had become before: it is on disk before it is kept that it is done. Memory is for one page.
 */
export const rowWriter = async (
  { vault, blobs, loader }: RowDeps,
  turn: BatchTurn,
  { job, queued, from }: Way,
): Promise<Doing> => {
  const { resource } = job.targets
  const name = rowsName(job, Number(queued.id))
  const kept = await turn.cursor()
  let begun = isJsonObject(kept) ? recordedIn(kept).cursor : from.cursor
  let rows: SealedRow[] = []
  let load = loader()

  const write = async (next: number): Promise<void> => {
    const inOrder = rows.sort((a, b) => a.person - b.person)
    await blobs.write(name, begun, partOf(inOrder, next))
    begun = next
    rows = []
    load = loader()
  }

  return {
    async perform(target) {
      const document = await load.one(resource, target)
      const row = document ? job.file.row(queued, document) : refuse.notFound()
      if (row instanceof Refusal) return row.message
      rows.push({ person: target, sealed: await vault.seal(target, { row }) })
      return undefined
    },
    turn: {
      ...turn,
      async keep(value) {
        if (isJsonObject(value)) await write(recordedIn(value).cursor)
        await turn.keep(value)
      },
    },
    end: () => write(0),
  }
}
