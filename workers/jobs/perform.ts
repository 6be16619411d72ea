import { ask, stampCommand } from '../../domain/kernel/decide/ask.ts'
import type { Engine } from '../../domain/kernel/engine/engine.ts'
import { workerActor } from '../../domain/kernel/engine/transaction.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import { isJsonObject, type JsonObject, type RecordedEvent } from '../../domain/kernel/values/event.ts'
import { type Ids, mintFrom, withIds } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { audienceOf } from '../../domain/resources/jobs/audience.ts'
import type { Job, Work } from '../../domain/resources/jobs/job.ts'
import { derivedId } from '../derived-id.ts'
import { runBatch } from '../reactor/batch.ts'
import type { Clock } from '../reactor/lanes.ts'
import { milestones, type Progress, readProgress } from '../reactor/progress.ts'
import { type BatchTurn, DONE, type Outcome, STOPPED } from '../reactor/reaction.ts'
import type { Semaphore } from '../reactor/semaphore.ts'
import { countTargets, type Readers } from '../reactor/targets.ts'
import { type RecordProcessor, type RowDeps, rowWriter } from './write-rows.ts'

/** Dependencies of jobs. */
export interface JobDeps extends Readers, RowDeps {
  readonly engine: Engine
  readonly ids: Ids
  /** Milliseconds since 1970. */
  readonly now: Clock
  readonly room: Semaphore
  /** Waits until the documents are at least as new as a position. */
  readonly seen: (at: Pick<RecordedEvent, 'position'>) => Promise<void>
}

/** Carries a job from its present state to its end. After a kill it continues after the last page that was done. */
export const performJob = async (deps: JobDeps, turn: BatchTurn, job: Job, queued: Document): Promise<Outcome> => {
  const { engine, live, vault, ids, now, room, seen } = deps
  const id = Number(queued.id)
  const workspaceId = Number(queued.workspace_id)
  const stamp = () => ({ at: new Date(now(workspaceId)).toISOString(), actor: workerActor('jobs') })
  const context = {
    teamId: Number(queued.team_id),
    workspaceId,
    causationId: `job:${job.resource.name}:${id}`,
    correlationId: `job:${job.resource.name}:${id}`,
  }

  /** @returns whether to continue the job, which may have been removed */
  const record = async (type: 'start' | 'advance' | 'complete', wanted: JsonObject, at = stamp().at) => {
    const result = await engine.transact({
      ...stampCommand(ask(job.decider, id, type, wanted), { ...stamp(), at }),
      ...context,
    })
    if (result instanceof Refusal) return false
    await seen(result)
    return true
  }

  const carryOut = async (work: Extract<Work, { perform: unknown }>, target: number): Promise<string | undefined> => {
    // The declaration of the job determines its attributes, so the cast is safe.
    const request = await withIds(ids, () => work.perform(queued as never, target, mintFrom(ids)))
    const result = await engine.transact({
      ...stampCommand(request, stamp()),
      ...context,
      eventIds: (index) => derivedId('job', job.resource.name, id, target, index),
    })
    return result instanceof Refusal ? result.message : undefined
  }

  const { resource } = job.targets
  const at = typeof queued.started_at === 'string' ? queued.started_at : stamp().at
  const token = (purpose: string, value: string) => vault.token(purpose, value)
  const open: Vault['open'] = (subject, sealed) => vault.open(subject, sealed)
  const { filter } = queued
  const opened = isJsonObject(filter) ? await job.targets.filters?.opened(filter, open) : undefined
  const audience = audienceOf(job.targets, { ...queued, ...(opened && { filter: opened }) }, { at, token })
  let total = queued.target_count
  if (typeof total !== 'number') {
    total = await countTargets(deps, resource, audience, turn.stopping)
    if (total === undefined) return STOPPED
    const counted = { target_count: total }
    const isThere =
      queued.status === 'queued'
        ? await record('start', counted, at)
        : await record('advance', { ...readProgress(queued), ...counted })
    if (!isThere) return DONE
  }
  const from = readProgress(queued)
  const isMilestone = milestones(total, from, now)
  const onPage = async (progress: Progress): Promise<boolean> =>
    isMilestone(progress) ? record('advance', progress) : (await live.get(job.resource.name, id)) !== undefined
  const doing: RecordProcessor =
    'file' in job
      ? await rowWriter(deps, turn, { job, queued, from })
      : {
          turn,
          perform: (target) => carryOut(job, target),
          end: async () => undefined,
        }
  const end = await runBatch(doing.turn, {
    readers: deps,
    resource,
    audience,
    room,
    perform: doing.perform,
    onPage,
    from,
  })
  if (end === 'stopped') return STOPPED
  if (end === 'called off') return DONE
  await doing.end()
  await record('complete', end)
  return DONE
}
