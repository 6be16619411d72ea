import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import type { Job } from '../../domain/resources/jobs/job.ts'
import { DONE, inStreams, type Reaction } from '../reactor/reaction.ts'
import { type JobDeps, performJob } from './perform.ts'
import { rowsName } from './write-rows.ts'

/** Jobs of a workspace that run at once. */
const GROUP_LIMIT = 2
const TRIES = 10

/** Returns when a queued job may begin, in milliseconds since 1970; 0: it need not wait. */
const beginsAt = ({ status, scheduled_for: at }: Document): number =>
  status === 'queued' && typeof at === 'string' ? Date.parse(at) : 0

/** Returns the reaction that runs jobs. A scheduled job is started by its timer. */
export const jobReaction = (deps: JobDeps & { readonly jobs: readonly Job[] }): Reaction => {
  const { jobs, live, blobs, now, seen } = deps
  const byName = new Map(jobs.map((job) => [job.resource.name, job]))
  const started = new Set(jobs.map((job) => job.started))
  // These run in the lane of the job, so its file is deleted only when nothing of the job runs any more.
  const endings = jobs.flatMap((job) => ('file' in job ? job.removed : []))
  return inStreams({
    name: 'jobs',
    on: [...jobs.map(({ queued }) => queued), ...started, ...endings].map((type) => ({ type })),
    group: ({ metadata }) => `jobs:${metadata.workspace_id ?? 0}`,
    width: GROUP_LIMIT,
    maxAttempts: TRIES,
    async react(event, turn) {
      // A start with a target count was recorded by `performJob` itself.
      if (started.has(event.type) && event.data.target_count !== null) return DONE
      const { name, id } = parseStream(event.stream)
      const job = byName.get(name)
      await seen(event)
      const document = job && (await live.get(name, id))
      if (job && 'file' in job && !document) await blobs.remove(rowsName(job, id))
      if (!job || !document || document.status === 'completed') return DONE
      if (beginsAt(document) > now(Number(document.workspace_id))) return DONE
      return performJob(deps, turn, job, document)
    },
  })
}
