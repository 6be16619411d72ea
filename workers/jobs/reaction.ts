import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import type { Job } from '../../domain/resources/jobs/job.ts'
import { isOfCopy, type OlderCopy } from '../older-copy.ts'
import { DONE, inStreams, type Reaction } from '../reactor/reaction.ts'
import { holdJob, type JobDeps, performJob } from './perform.ts'
import { rowsName } from './write-rows.ts'

/** Jobs of a workspace that run at once. */
const GROUP_LIMIT = 2
const TRIES = 10

/** Returns when a queued job may begin, in milliseconds since 1970; 0: it need not wait. */
const beginsAt = ({ status, scheduled_for: at }: Document): number =>
  status === 'queued' && typeof at === 'string' ? Date.parse(at) : 0

interface JobReactionDeps extends JobDeps {
  readonly jobs: readonly Job[]
  readonly olderCopy: OlderCopy
}

/** Returns the reaction that runs jobs. A scheduled job is started by its timer. Those of an older copy that can have mail sent wait for the operator's word. */
export const jobReaction = (deps: JobReactionDeps): Reaction => {
  const { jobs, live, blobs, now, seen } = deps
  const byName = new Map(jobs.map((job) => [job.resource.name, job]))
  const queued = jobs.map((job) => job.queued)
  const started = new Set(jobs.map((job) => job.started))
  const released = jobs.flatMap((job) => job.released ?? [])
  // These run in the lane of the job, so its file is deleted only when nothing of the job runs any more.
  const endings = jobs.flatMap((job) => ('file' in job ? job.removed : []))
  return inStreams({
    name: 'jobs',
    on: [...queued, ...started, ...released, ...endings].map((type) => ({ type })),
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
      if (typeof document.held_reason === 'string') return DONE
      if (beginsAt(document) > now(Number(document.workspace_id))) return DONE
      if (job.released !== undefined && isOfCopy(event, deps.olderCopy)) return holdJob(deps, turn, job, document)
      return performJob(deps, turn, job, document)
    },
  })
}
