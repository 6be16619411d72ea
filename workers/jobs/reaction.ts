import { parseStream } from '../../domain/kernel/decider.ts'
import type { EventSpec } from '../../domain/kernel/model.ts'
import type { Job } from '../../domain/kinds/job.ts'
import { DONE, inStreams, type Reaction } from '../reactor/reaction.ts'
import { type JobParts, performJob } from './perform.ts'
import { rowsName } from './write-rows.ts'

/** Jobs of a workspace under way at once. */
const WIDTH = 2
const TRIES = 10

const eventsOf = (jobs: readonly Job[], isMeant: (spec: EventSpec) => boolean): readonly string[] =>
  jobs.flatMap(({ resource: { aggregate } }) =>
    Object.entries(aggregate.model.events).flatMap(([type, spec]) => (isMeant(spec) ? type : [])),
  )

/** Carries out what is to be done to many records, each job when its time has come. */
export const jobReaction = (parts: JobParts & { readonly jobs: readonly Job[] }): Reaction => {
  const { jobs, live, blobs, now, seen } = parts
  const filing = jobs.filter((job) => 'file' in job)
  const byName = new Map(jobs.map((job) => [job.resource.name, job]))
  const begins = eventsOf(jobs, ({ born }) => born === true)
  // In the lane of the job: what it has left behind goes when nothing of it is under way any more.
  const endings = eventsOf(filing, ({ gone }) => gone === true)
  return inStreams({
    name: 'jobs',
    on: [...begins, ...endings],
    gate: ({ metadata }) => `jobs:${metadata.workspace_id ?? 0}`,
    width: WIDTH,
    tries: TRIES,
    async react(event, turn) {
      const { name, id } = parseStream(event.stream)
      const job = byName.get(name)
      await seen(event)
      const document = job && (await live.get(name, id))
      if (job && 'file' in job && !document) await blobs.remove(rowsName(job, id))
      if (!job || !document || document.status === 'completed') return DONE
      const due = typeof document.scheduled_for === 'string' ? Date.parse(document.scheduled_for) : 0
      return due > now() ? { came: 'early', notBefore: due } : performJob(parts, turn, job, document)
    },
  })
}
