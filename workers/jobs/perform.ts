import type { Command } from '../../domain/kernel/decider.ts'
import type { Engine } from '../../domain/kernel/engine.ts'
import type { JsonObject } from '../../domain/kernel/event.ts'
import { type Ids, withIds } from '../../domain/kernel/id.ts'
import type { Document, ReadModels, Where } from '../../domain/kernel/ports/read-models.ts'
import { Refusal } from '../../domain/kernel/refusal.ts'
import { type Outcome, workerActor } from '../../domain/kernel/transaction.ts'
import type { Job } from '../../domain/kinds/job.ts'
import { derivedId } from '../derived-id.ts'

/** What carrying out jobs needs. */
export interface JobParts {
  readonly engine: Engine
  readonly live: ReadModels
  readonly reached: (position: number, timeoutMs: number) => Promise<boolean>
  readonly ids: Ids
  readonly now: () => number
  /** Asked between pages: whether the process is to stop; the job then goes on at the next start. */
  readonly stopping: () => boolean
}

/** Targets taken together: progress is told, and a stop heeded, between two such pages. */
const PAGE = 100
const READ_SIDE_MS = 30_000

const audienceOf = (job: Job, document: Document): Where =>
  document.target_all === true
    ? { workspace_id: document.workspace_id ?? 0, ...job.targets.all }
    : { workspace_id: document.workspace_id ?? 0, id: { $in: (document.target_ids ?? []) as readonly number[] } }

/** One job from wherever it stands to its end; after a crash it goes on behind the last page whose end was recorded. */
export const performJob = async (parts: JobParts, job: Job, queued: Document): Promise<void> => {
  const { engine, live, ids, now } = parts
  const id = Number(queued.id)
  const stamp = (): Pick<Command, 'at' | 'actor'> => ({
    at: new Date(now()).toISOString(),
    actor: workerActor('jobs'),
  })
  const context = {
    teamId: Number(queued.team_id),
    workspaceId: Number(queued.workspace_id),
    causationId: `job:${job.resource.name}:${id}`,
    correlationId: `job:${job.resource.name}:${id}`,
  }

  /** @returns whether the job is still to be carried on: it may have been removed */
  const record = async (type: 'start' | 'advance' | 'complete', wanted: JsonObject = {}): Promise<boolean> => {
    const command = { type, id, wanted, ...stamp() }
    const result = await engine.transact({ aggregate: job.decider, id, command, ...context })
    if (result instanceof Refusal) return false
    await parts.reached((result as Outcome).position, READ_SIDE_MS)
    return true
  }

  const performOn = async (document: Document, target: number): Promise<void> => {
    const consequence = job.perform(document, target, stamp())
    await engine.transact({
      aggregate: consequence.aggregate,
      id: target,
      command: { id: target, ...(await withIds(ids, () => consequence.command(ids.next))) },
      ...context,
      eventIds: (index) => derivedId('job', job.resource.name, id, target, index),
    })
  }

  const where = audienceOf(job, queued)
  if (queued.status === 'queued') {
    const targetCount = await live.count(job.targets.resource, where)
    if (!(await record('start', { target_count: targetCount }))) return
  }
  let cursor = Number(queued.cursor)
  let performed = Number(queued.performed_count)
  for (;;) {
    const page = await live.find(job.targets.resource, { where, ...(cursor > 0 && { after: cursor }), limit: PAGE })
    await Promise.all(page.map((target) => performOn(queued, Number(target.id))))
    if (page.length === 0) break
    performed += page.length
    cursor = Number(page.at(-1)!.id)
    if (!(await record('advance', { performed_count: performed, cursor }))) return
    if (parts.stopping()) return
  }
  await record('complete')
}
