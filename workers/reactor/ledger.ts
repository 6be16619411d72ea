import type { Logger } from 'pino'
import type { PendingTask, ReactorStore, StoreChange } from '../../domain/kernel/ports/reactor-store.ts'
import type { Json } from '../../domain/kernel/values/event.ts'
import type { Lane, Task } from './lanes.ts'
import { LowWatermark } from './low-watermark.ts'
import { cursorOf, owedRow } from './rows.ts'
import { StoreWriter } from './store-writer.ts'

interface LedgerDeps {
  readonly reactorStore: ReactorStore
  /** Last checkpoint that was written. */
  readonly checkpoint: number
  readonly logger: Logger
  /** Called with an error of the store other than unavailability. */
  readonly onFailure: (error: unknown) => void
  /** Called when a write of a lane's tasks has ended. */
  readonly onPut: (lane: Lane) => void
}

/** Writes down tasks and outcomes, and moves the checkpoint as far as they allow. */
export class Ledger {
  readonly #deps: LedgerDeps
  readonly #lowWatermark: LowWatermark
  readonly #writer: StoreWriter

  constructor(deps: LedgerDeps) {
    this.#deps = deps
    this.#lowWatermark = new LowWatermark(deps.checkpoint)
    this.#writer = new StoreWriter(deps.reactorStore, deps.checkpoint, deps.logger)
  }

  /** Low watermark that the checkpoint follows. */
  get lowWatermark(): LowWatermark {
    return this.#lowWatermark
  }

  /** Writes a change before the checkpoint passes the position of its event. */
  before(position: number, entry: StoreChange): void {
    this.#lowWatermark.begin(position)
    this.#writer
      .write([entry])
      .then(() => this.#lowWatermark.end(position))
      .catch(this.#deps.onFailure)
  }

  /** Writes tasks down, behind those of their lane that are pending already. They hold the checkpoint until then. */
  put(lane: Lane, tasks: readonly Task[], first: PendingTask = owedRow(lane, tasks[0]!, null)): void {
    const rows = [first, ...tasks.slice(1).map((task) => owedRow(lane, task, null))]
    lane.hasPending = true
    lane.writing++
    for (const task of tasks) task.isPending = true
    this.#writer
      .write(rows.map((owed) => ({ owed })))
      .then(() => {
        for (const task of tasks) this.#release(task)
      })
      .catch(this.#deps.onFailure)
      .finally(() => {
        lane.writing--
        this.#deps.onPut(lane)
      })
  }

  /** Writes the outcome of a task, and removes its row and cursor if it has them. */
  async end(lane: Lane, task: Task, outcome: readonly StoreChange[]): Promise<void> {
    const settled = task.isPending ? [{ settled: { lane: lane.lane, position: task.event.position } }] : []
    const cursors = task.keeps ? [{ cursor: cursorOf(lane, task), value: null }] : []
    const entries = [...outcome, ...cursors, ...settled]
    if (entries.length > 0) await this.#writer.write(entries)
    this.#release(task)
  }

  /** Returns the first pending task of a lane, once everything given so far is written. */
  async firstIn(lane: Lane): Promise<PendingTask | undefined> {
    await this.#writer.settled()
    const [row] = await this.#deps.reactorStore.pendingIn(lane.lane, 1)
    return row
  }

  drop(row: PendingTask): Promise<void> {
    return this.#writer.write([{ settled: row }])
  }

  async cursor(lane: Lane, task: Task): Promise<Json> {
    const value = await this.#deps.reactorStore.cursor(cursorOf(lane, task))
    task.keeps ||= value !== null
    return value
  }

  keep(lane: Lane, task: Task, value: Json): Promise<void> {
    task.keeps = true
    return this.#writer.write([{ cursor: cursorOf(lane, task), value }])
  }

  /** Writes changes that are no outcome of a task. */
  write(changes: readonly StoreChange[]): Promise<void> {
    return this.#writer.write(changes)
  }

  /** Moves the checkpoint as far as it may go, and writes entries with it. */
  reach(entries: readonly StoreChange[] = []): Promise<void> {
    const reaching = this.#writer.reach(this.#lowWatermark.checkpoint)
    return entries.length > 0 ? this.#writer.write(entries) : reaching
  }

  /** Stops waiting for an unavailable store. Anything not written by then is done again. */
  async stop(): Promise<void> {
    this.#writer.stop()
    await this.reach().catch(() => undefined)
  }

  #release(task: Task): void {
    task.watermark?.end(task.event.position)
    task.watermark = undefined
  }
}
