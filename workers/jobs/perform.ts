import { type Ask, ask } from '../../domain/kernel/decide/ask.ts'
import { beside } from '../../domain/kernel/decide/bound-reader.ts'
import { readerOver } from '../../domain/kernel/decide/rules.ts'
import { type CarryOut, desk, type Once } from '../../domain/kernel/engine/desk.ts'
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
import { OLDER_COPY } from '../older-copy.ts'
import { once } from '../once.ts'
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

/** Work of a job that is a command for each target. */
type CommandWork = Extract<Work, { perform: unknown }>

const ACTOR = workerActor('jobs')

/** Carries a job from its present state to its end. After a kill it continues after the last page that was done. */
export const performJob = (deps: JobDeps, turn: BatchTurn, job: Job, queued: Document): Promise<Outcome> =>
  new JobRun(deps, turn, job, queued).run()

/** Lets a job of an older copy of the data wait for the operator's word. */
export const holdJob = (deps: JobDeps, turn: BatchTurn, job: Job, of: Document): Promise<Outcome> =>
  new JobRun(deps, turn, job, of).hold()

/** One run of a job, which may continue an earlier one. */
class JobRun {
  readonly #deps: JobDeps
  readonly #turn: BatchTurn
  readonly #job: Job
  /** Document of the job when the run began. */
  readonly #queued: Document
  readonly #id: number
  readonly #workspaceId: number

  constructor(deps: JobDeps, turn: BatchTurn, job: Job, queued: Document) {
    this.#deps = deps
    this.#turn = turn
    this.#job = job
    this.#queued = queued
    this.#id = Number(queued.id)
    this.#workspaceId = Number(queued.workspace_id)
  }

  async run(): Promise<Outcome> {
    const { resource } = this.#job.targets
    const startedAt = typeof this.#queued.started_at === 'string' ? this.#queued.started_at : this.#now()
    const audience = await this.#audience(startedAt)
    let total = this.#queued.target_count
    if (typeof total !== 'number') {
      total = await countTargets(this.#deps, resource, audience, this.#turn.stopping)
      if (total === undefined) return STOPPED
      if (!(await this.#recordTotal(total, startedAt))) return DONE
    }
    const from = readProgress(this.#queued)
    const isMilestone = milestones(total, from, this.#deps.now)
    const processor = await this.#processor(from)
    const end = await runBatch(processor.turn, {
      readers: this.#deps,
      resource,
      audience,
      room: this.#deps.room,
      perform: processor.perform,
      objection: () => this.#objection(),
      onPage: (progress) => (isMilestone(progress) ? this.#record('advance', progress) : this.#exists()),
      from,
    })
    if (end === 'stopped') return STOPPED
    if (end === 'called off') return DONE
    await processor.end()
    await this.#record('complete', end)
    return DONE
  }

  async hold(): Promise<Outcome> {
    await this.#record('hold', { held_reason: OLDER_COPY })
    return DONE
  }

  /**
   * Returns the records that the job is for. A file has those of the moment at which it was begun, however many are added meanwhile.
   *
   * @param at time from which relative dates count
   */
  async #audience(at: string): Promise<Audience> {
    const { vault } = this.#deps
    const { targets } = this.#job
    const { filter } = this.#queued
    const open: Vault['open'] = (subject, sealed) => vault.open(subject, sealed)
    const token = (purpose: string, value: string) => vault.token(purpose, value)
    const opened = isJsonObject(filter) ? await targets.filters?.opened(filter, open) : undefined
    const audience = audienceOf(targets, { ...this.#queued, ...(opened && { filter: opened }) }, { at, token })
    return 'file' in this.#job ? { ...audience, until: at } : audience
  }

  /** Returns why the job cannot be done to anybody any more: a record that it names has ended since it was requested. */
  async #objection(): Promise<string | undefined> {
    for (const { attribute, resource } of this.#job.references) {
      const value = this.#queued[attribute]
      const ids = (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'number')
      const found = ids.length === 0 ? [] : await this.#deps.live.getMany(resource, ids)
      const ended = ids.filter((_, index) => found[index] === undefined)
      if (ended.length > 0) return `${humanize(attribute)} no longer exist: ${ended.join(', ')}`
    }
    return undefined
  }

  /** Records the number of targets, and the start of the job unless a timer has started it. @returns whether the job still exists */
  #recordTotal(total: number, startedAt: string): Promise<boolean> {
    const counted = { target_count: total }
    return this.#queued.status === 'queued'
      ? this.#record('start', counted, startedAt)
      : this.#record('advance', { ...readProgress(this.#queued), ...counted })
  }

  /** Records a stage of the job. @returns whether the job still exists */
  async #record(type: 'start' | 'advance' | 'complete' | 'hold', wanted: JsonObject, at?: string) {
    const result = await this.#carryOut(ask(this.#job.decider, this.#id, type, wanted), {}, at)
    if (result instanceof Refusal) return false
    await this.#deps.seen(result)
    return true
  }

  async #exists(): Promise<boolean> {
    return (await this.#deps.live.get(this.#job.resource.name, this.#id)) !== undefined
  }

  async #processor(from: Progress): Promise<RecordProcessor> {
    const job = this.#job
    if ('file' in job) return rowWriter(this.#deps, this.#turn, { job, queued: this.#queued, from })
    return {
      turn: this.#turn,
      perform: (target) => this.#performOn(target, job),
      end: async () => undefined,
    }
  }

  /** Carries out the commands of the job for one target. @returns why one of them was refused, if it was */
  async #performOn(target: number, work: CommandWork): Promise<string | undefined> {
    const { ids, live } = this.#deps
    const mint = mintFrom(ids)
    // The declaration of the job determines its attributes, so the cast is safe.
    const requests = await withIds(ids, async () => {
      const asked = await work.perform(this.#queued as never, target, {
        mint,
        read: readerOver(beside(live, this.#queued)),
        token: (purpose, value) => this.#deps.vault.token(purpose, value),
      })
      if (asked instanceof Refusal) return asked
      return [asked].flat()
    })
    if (requests instanceof Refusal) return requests.message
    for (const [place, request] of requests.entries()) {
      // The first has no number: a stored format.
      const key = ['job', this.#job.resource.name, this.#id, target, ...(place === 0 ? [] : [`#${place}`])] as const
      const result = await this.#carryOut(request, {
        claim: once(key.join(':')),
        ids: (index) => derivedId(...key, index),
      })
      if (result instanceof Refusal) return result.message
    }
    return undefined
  }

  /** Carries out a command on behalf of the job. @param at default: the present time of the workspace */
  #carryOut(request: Ask, known: Once = {}, at = this.#now()): ReturnType<CarryOut> {
    const { team_id: teamId } = this.#queued
    const occasion = { actor: ACTOR, at, cause: `job:${this.#job.resource.name}:${this.#id}` }
    return desk(this.#deps)({ ...occasion, teamId: Number(teamId), workspaceId: this.#workspaceId }, request, known)
  }

  /** Returns the present time of the workspace. */
  #now(): string {
    return new Date(this.#deps.now(this.#workspaceId)).toISOString()
  }
}
