import { ask, type Stamp, stampCommand } from '../../domain/kernel/decide/ask.ts'
import type { Engine } from '../../domain/kernel/engine/engine.ts'
import { workerActor } from '../../domain/kernel/engine/transaction.ts'
import { humanize } from '../../domain/kernel/model/parse.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import { isJsonObject, type JsonObject, type RecordedEvent } from '../../domain/kernel/values/event.ts'
import { type Ids, mintFrom, withIds } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { type Audience, audienceOf } from '../../domain/resources/jobs/audience.ts'
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

const contextOf = ({ resource }: Job, { id, team_id, workspace_id }: Document) => ({
  teamId: Number(team_id),
  workspaceId: Number(workspace_id),
  causationId: `job:${resource.name}:${id}`,
  correlationId: `job:${resource.name}:${id}`,
})

/** Returns the targets of a job. @param at time that relative dates of its filter count from */
const targetsOf = async ({ vault }: JobDeps, { targets }: Job, queued: Document, at: string): Promise<Audience> => {
  const token = (purpose: string, value: string) => vault.token(purpose, value)
  const open: Vault['open'] = (subject, sealed) => vault.open(subject, sealed)
  const { filter } = queued
  const opened = isJsonObject(filter) ? await targets.filters?.opened(filter, open) : undefined
  return audienceOf(targets, { ...queued, ...(opened && { filter: opened }) }, { at, token })
}

/** Returns why a job cannot be done to anybody any more: a record that it names has ended since it was requested. */
const objectionTo = async ({ live }: JobDeps, { references }: Job, queued: Document): Promise<string | undefined> => {
  for (const { attribute, resource } of references) {
    const value = queued[attribute]
    const ids = (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'number')
    const found = ids.length === 0 ? [] : await live.getMany(resource, ids)
    const ended = ids.filter((_, index) => found[index] === undefined)
    if (ended.length > 0) return `${humanize(attribute)} no longer exist: ${ended.join(', ')}`
  }
  return undefined
}

/** Returns a function that does the work of a job to one target. @returns why it was refused, if it was */
const targetProcessor =
  ({ engine, ids }: JobDeps, job: Job & Extract<Work, { perform: unknown }>, queued: Document, stamp: () => Stamp) =>
  async (target: number): Promise<string | undefined> => {
    // The declaration of the job determines its attributes, so the cast is safe.
    const request = await withIds(ids, () => job.perform(queued as never, target, mintFrom(ids)))
    const result = await engine.transact({
      ...stampCommand(request, stamp()),
      ...contextOf(job, queued),
      eventIds: (index) => derivedId('job', job.resource.name, Number(queued.id), target, index),
    })
    return result instanceof Refusal ? result.message : undefined
  }

/** Carries a job from its present state to its end. After a kill it continues after the last page that was done. */
export const performJob = async (deps: JobDeps, turn: BatchTurn, job: Job, queued: Document): Promise<Outcome> => {
  const { engine, live, now, room, seen } = deps
  const id = Number(queued.id)
  const context = contextOf(job, queued)
  const stamp = () => ({ at: new Date(now(context.workspaceId)).toISOString(), actor: workerActor('jobs') })

  /** @returns whether to continue the job, which may have been removed */
  const record = async (type: 'start' | 'advance' | 'complete', wanted: JsonObject, at = stamp().at) => {
    const asked = stampCommand(ask(job.decider, id, type, wanted), { ...stamp(), at })
    const result = await engine.transact({ ...asked, ...context })
    if (result instanceof Refusal) return false
    await seen(result)
    return true
  }

  const { resource } = job.targets
  const at = typeof queued.started_at === 'string' ? queued.started_at : stamp().at
  const audience = await targetsOf(deps, job, queued, at)
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
  const objection = () => objectionTo(deps, job, queued)
  const doing: RecordProcessor =
    'file' in job
      ? await rowWriter(deps, turn, { job, queued, from })
      : { turn, perform: targetProcessor(deps, job, queued, stamp), end: async () => undefined }
  const { perform } = doing
  const end = await runBatch(doing.turn, { readers: deps, resource, audience, room, perform, objection, onPage, from })
  if (end === 'stopped') return STOPPED
  if (end === 'called off') return DONE
  await doing.end()
  await record('complete', end)
  return DONE
}
