import { parseStream } from '../../domain/kernel/decider.ts'
import type { Job } from '../../domain/kinds/job.ts'
import { DONE, inStreams, type Reaction } from '../reactor/reaction.ts'
import { type JobParts, performJob } from './perform.ts'

/** Jobs of a workspace under way at once. */
const WIDTH = 2
const TRIES = 10

/** Carries out what is to be done to many records, each job when its time has come. */
export const jobReaction = (parts: JobParts & { readonly jobs: readonly Job[] }): Reaction => {
  const { jobs, live, now, seen } = parts
  const byName = new Map(jobs.map((job) => [job.resource.name, job]))
  const begins = jobs.flatMap(({ resource: { aggregate } }) =>
    Object.entries(aggregate.model.events).flatMap(([type, { born }]) => (born ? type : [])),
  )
  return inStreams({
    name: 'jobs',
    on: begins,
    gate: ({ metadata }) => `jobs:${metadata.workspace_id ?? 0}`,
    width: WIDTH,
    tries: TRIES,
    async react(event, turn) {
      const { name, id } = parseStream(event.stream)
      const job = byName.get(name)
      await seen(event)
      const document = job && (await live.get(name, id))
      if (!document || document.status === 'completed') return DONE
      const due = typeof document.scheduled_for === 'string' ? Date.parse(document.scheduled_for) : 0
      return due > now() ? { came: 'early', notBefore: due } : performJob(parts, turn, job, document)
    },
  })
}
