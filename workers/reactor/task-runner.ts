import { writeAround } from '../../domain/kernel/engine/write.ts'
import { retryWhileUnavailable } from '../retry-while-unavailable.ts'
import { pauseAfter, tryOnce } from './attempt.ts'
import type { Lane, Task } from './lanes.ts'
import type { Ledger } from './ledger.ts'
import type { Reaction, TaskTurn } from './reaction.ts'
import type { ReactorDeps } from './reactor-deps.ts'
import { deadLetter, messageOf, owedRow, refusalsOf } from './rows.ts'
import type { UnderWay } from './under-way.ts'

interface TaskRunnerDeps extends ReactorDeps {
  readonly reactions: ReadonlyMap<string, Reaction>
}

/** Runs tasks, and writes down their outcomes. */
export class TaskRunner {
  readonly #deps: TaskRunnerDeps
  readonly #ledger: Ledger
  readonly #underWay: UnderWay
  readonly #isStopped: () => boolean

  constructor(deps: TaskRunnerDeps, ledger: Ledger, underWay: UnderWay, isStopped: () => boolean) {
    this.#deps = deps
    this.#ledger = ledger
    this.#underWay = underWay
    this.#isStopped = isStopped
  }

  /** Tries the first task of a lane once, if it is due, and writes down the outcome. */
  async runFirst(lane: Lane): Promise<void> {
    const task = lane.queue.shift() ?? (await this.#firstPending(lane))
    if (!task) return
    lane.running = task
    await this.#underWay.start(lane, task)
    await this.#carryOut(lane, task)
    await this.#underWay.end(lane, task)
  }

  async #carryOut(lane: Lane, task: Task): Promise<void> {
    const result = await tryOnce(task, this.#turnOf(lane, task), this.#deps.logger)
    if (result.came === 'done') return this.#ledger.end(lane, task, [])
    if (result.came === 'refused')
      return this.#ledger.end(lane, task, refusalsOf(task, result.reasons, this.#now(lane)))
    if (result.came === 'early') return this.#wait(lane, task, result.notBefore)
    return result.came === 'failed' ? this.#fail(lane, task, result.error) : undefined
  }

  /** Returns the first pending task of a lane, if it is due. Waits while a store is unavailable. */
  #firstPending(lane: Lane): Promise<Task | undefined> {
    const say = (error: unknown) => this.#deps.logger.warn({ err: error }, 'pending tasks cannot be read for now')
    return retryWhileUnavailable(() => this.#readFirst(lane), { say, isOver: this.#isStopped })
  }

  async #readFirst(lane: Lane): Promise<Task | undefined> {
    const { log, logger, reactions } = this.#deps
    while (lane.hasPending && !this.#isStopped()) {
      const row = await this.#ledger.firstIn(lane)
      if (!row) {
        if (lane.writing === 0) lane.hasPending = false
        continue
      }
      lane.due = row.due ?? 0
      if (lane.due > this.#now(lane)) return undefined
      const event = await log.at(row.position)
      const reaction = reactions.get(row.reaction)!
      const since = performance.now()
      if (event)
        return { reaction, event, since, attempts: row.attempts, isPending: true, watermark: undefined, keeps: false }
      logger.error(
        { reaction: row.reaction, position: row.position },
        'a pending task is for an event that does not exist',
      )
      await this.#ledger.drop(row)
    }
    return undefined
  }

  /** Writes down a lane whose first task in memory holds up the checkpoint since before a time of `performance.now()`. */
  writeDownOld(lane: Lane, before: number): void {
    const isOld = (task: Task | undefined) => task?.watermark && !task.isPending && task.since < before
    if (!lane.hasPending && (isOld(lane.running) || isOld(lane.queue[0]))) this.writeDown(lane)
  }

  /** Writes down all tasks that a lane has in memory, including the running one. */
  writeDown(lane: Lane): void {
    const tasks = [...(lane.running ? [lane.running] : []), ...lane.queue]
    if (tasks.length === 0) return
    lane.queue = []
    lane.due = this.#now(lane)
    this.#ledger.put(lane, tasks, owedRow(lane, tasks[0]!, lane.due))
  }

  #now({ workspace }: Lane): number {
    return this.#deps.now(workspace)
  }

  #turnOf(lane: Lane, task: Task): TaskTurn {
    return {
      lane: lane.lane,
      stopping: this.#isStopped,
      cursor: () => this.#ledger.cursor(lane, task),
      saveCursor: async (value) => {
        await this.#ledger.keep(lane, task, value)
        await this.#underWay.advanced(lane, task)
      },
      advanced: () => this.#underWay.advanced(lane, task),
      write: () => task.write ?? writeAround(this.#deps.log, task.event),
    }
  }

  async #fail(lane: Lane, task: Task, error: unknown): Promise<void> {
    const { logger, pause = pauseAfter } = this.#deps
    const { reaction, event } = task
    const failed = { ...task, attempts: task.attempts + 1 }
    const about = { err: error, reaction: reaction.name, position: event.position, attempts: failed.attempts }
    if (failed.attempts < reaction.maxAttempts) {
      const inMs = Math.round(pause(failed.attempts))
      logger.warn({ ...about, again_in_ms: inMs }, 'a reaction failed; it will be tried again')
      return this.#wait(lane, failed, this.#now(lane) + inMs, messageOf(error))
    }
    logger.error(about, 'a reaction was given up; see `millrace failures`')
    return this.#ledger.end(lane, task, [{ dead: deadLetter(lane, failed, messageOf(error), Date.now()) }])
  }

  /** Writes down a task until it is due, and the rest of its lane behind it. */
  #wait(lane: Lane, task: Task, due: number, error: string | null = null): void {
    const tasks = [task, ...lane.queue]
    lane.queue = []
    lane.due = due
    this.#ledger.put(lane, tasks, owedRow(lane, task, due, error))
  }
}
