import type { Logger } from 'pino'
import type { PendingTask, ReactorStore, StoreChange } from '../../domain/kernel/ports/reactor-store.ts'
import type { Json } from '../../domain/kernel/values/event.ts'
import type { Lane, Task } from './lanes.ts'
import { LowWatermark } from './low-watermark.ts'
import { cursorOf, owedRow } from './rows.ts'
import { StoreWriter } from './store-writer.ts'

interface LedgerDeps {
  readonly reactorStore: ReactorStore
  /** The last checkpoint that was written. */
  readonly checkpoint: number
  readonly logger: Logger
  /** Told of a store that fails in a way that will not pass. */
  readonly onFailure: (error: unknown) => void
  /** Told when what was put down of a lane is in the books. */
  readonly onPut: (lane: Lane) => void
}

/** What a reactor writes down, and how far that lets its checkpoint go. */
export class Ledger {
  readonly #deps: LedgerDeps
  readonly #horizon: LowWatermark
  readonly #keeper: StoreWriter

  constructor(deps: LedgerDeps) {
    this.#deps = deps
    this.#horizon = new LowWatermark(deps.checkpoint)
    this.#keeper = new StoreWriter(deps.reactorStore, deps.checkpoint, deps.logger)
  }

  /** What the checkpoint waits for. */
  get horizon(): LowWatermark {
    return this.#horizon
  }

  /** Writes something down of an event before the checkpoint passes it. */
  before(position: number, entry: StoreChange): void {
    this.#horizon.begin(position)
    this.#keeper
      .write([entry])
      .then(() => this.#horizon.end(position))
      .catch(this.#deps.onFailure)
  }

  /** Puts tasks into the books, behind what their lane owes; they hold the checkpoint until they are there. */
  put(lane: Lane, tasks: readonly Task[], first: PendingTask = owedRow(lane, tasks[0]!, null)): void {
    const rows = [first, ...tasks.slice(1).map((task) => owedRow(lane, task, null))]
    lane.owes = true
    lane.writing++
    for (const task of tasks) task.owed = true
    this.#keeper
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

  /** Takes a task out of the books, or sees to it that it never comes there, and writes what came of it. */
  async end(lane: Lane, task: Task, came: readonly StoreChange[]): Promise<void> {
    const settled = task.owed ? [{ settled: { lane: lane.lane, position: task.event.position } }] : []
    const kept = task.keeps ? [{ cursor: cursorOf(lane, task), value: null }] : []
    const entries = [...came, ...kept, ...settled]
    if (entries.length > 0) await this.#keeper.write(entries)
    this.#release(task)
  }

  /** What a lane owes first, once everything that was put down is there. */
  async firstIn(lane: Lane): Promise<PendingTask | undefined> {
    await this.#keeper.settled()
    const [row] = await this.#deps.reactorStore.pendingIn(lane.lane, 1)
    return row
  }

  drop(row: PendingTask): Promise<void> {
    return this.#keeper.write([{ settled: row }])
  }

  async cursor(lane: Lane, task: Task): Promise<Json> {
    const value = await this.#deps.reactorStore.cursor(cursorOf(lane, task))
    task.keeps ||= value !== null
    return value
  }

  keep(lane: Lane, task: Task, value: Json): Promise<void> {
    task.keeps = true
    return this.#keeper.write([{ cursor: cursorOf(lane, task), value }])
  }

  /** Lets the checkpoint go as far as it may, and writes what goes with it. */
  reach(entries: readonly StoreChange[] = []): Promise<void> {
    const reaching = this.#keeper.reach(this.#horizon.checkpoint)
    return entries.length > 0 ? this.#keeper.write(entries) : reaching
  }

  /** Waits no longer for a store that is away; what is not in the books then is done again. */
  async stop(): Promise<void> {
    this.#keeper.stop()
    await this.reach().catch(() => undefined)
  }

  #release(task: Task): void {
    task.holds?.end(task.event.position)
    task.holds = undefined
  }
}
