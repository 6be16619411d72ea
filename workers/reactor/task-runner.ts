import { writeAround } from '../../domain/kernel/engine/write.ts'
import { retryWhileUnavailable } from '../retry-while-unavailable.ts'
import { pauseAfter, tryOnce } from './attempt.ts'
import type { Lane, Task } from './lanes.ts'
import type { Ledger } from './ledger.ts'
import type { Reaction, TaskTurn } from './reaction.ts'
import type { ReactorDeps } from './reactor-deps.ts'
import { deadLetter, messageOf, owedRow, refusalsOf } from './rows.ts'

/** Carries tasks out, and writes down what comes of it. */
export class TaskRunner {
  readonly #deps: ReactorDeps
  readonly #ledger: Ledger
  readonly #isStopped: () => boolean

  constructor(deps: ReactorDeps, ledger: Ledger, isStopped: () => boolean) {
    this.#deps = deps
    this.#ledger = ledger
    this.#isStopped = isStopped
  }

  /** Tries a task once. */
  async carryOut(lane: Lane, task: Task): Promise<void> {
    const tried = await tryOnce(task, this.#turnOf(lane, task), this.#deps.logger)
    if (tried.came === 'done') return this.#ledger.end(lane, task, [])
    if (tried.came === 'refused') return this.#ledger.end(lane, task, refusalsOf(task, tried.reasons, this.#now(lane)))
    if (tried.came === 'early') return this.#wait(lane, task, tried.notBefore)
    return tried.came === 'failed' ? this.#fail(lane, task, tried.error) : undefined
  }

  /** What a lane owes first, if it is due; a store that is away is waited for. */
  owedIn(lane: Lane, reactions: ReadonlyMap<string, Reaction>): Promise<Task | undefined> {
    const say = (error: unknown) => this.#deps.logger.warn({ err: error }, 'what is owed cannot be read for now')
    return retryWhileUnavailable(() => this.#owedIn(lane, reactions), { say, isOver: this.#isStopped })
  }

  async #owedIn(lane: Lane, reactions: ReadonlyMap<string, Reaction>): Promise<Task | undefined> {
    const { log, logger } = this.#deps
    while (lane.owes && !this.#isStopped()) {
      const row = await this.#ledger.firstIn(lane)
      if (!row) {
        if (lane.writing === 0) lane.owes = false
        continue
      }
      lane.due = row.due ?? 0
      if (lane.due > this.#now(lane)) return undefined
      const event = await log.at(row.position)
      const reaction = reactions.get(row.reaction)!
      const since = performance.now()
      if (event) return { reaction, event, since, attempts: row.attempts, owed: true, holds: undefined, keeps: false }
      logger.error({ reaction: row.reaction, position: row.position }, 'what is owed is for no event')
      await this.#ledger.drop(row)
    }
    return undefined
  }

  /** The same for a lane that has had something in memory since before a time, and holds up the checkpoint with it. */
  writeDownOld(lane: Lane, before: number): void {
    const isOld = (task: Task | undefined) => task?.holds && !task.owed && task.since < before
    if (!lane.owes && (isOld(lane.running) || isOld(lane.queue[0]))) this.writeDown(lane)
  }

  /** Writes down what a lane has in memory, what is under way too. */
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
      keep: (value) => this.#ledger.keep(lane, task, value),
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

  /** A task waits for its time, and its lane behind it. */
  #wait(lane: Lane, task: Task, due: number, error: string | null = null): void {
    const tasks = [task, ...lane.queue]
    lane.queue = []
    lane.due = due
    this.#ledger.put(lane, tasks, owedRow(lane, task, due, error))
  }
}
