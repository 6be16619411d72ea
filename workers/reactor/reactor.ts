import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { Owed } from '../../domain/kernel/ports/books.ts'
import type { Subscription } from '../../domain/kernel/ports/event-log.ts'
import type { Enrolled } from './enrol.ts'
import { type Lane, Lanes, type Task } from './lanes.ts'
import { Ledger } from './ledger.ts'
import type { ReactorParts } from './parts.ts'
import { type Reaction, reactionsBy, type Turn } from './reaction.ts'
import { deadLetter, messageOf, owedRow, refusalsOf } from './rows.ts'
import { pauseAfter, tryOnce } from './trial.ts'

/** Tasks under way at once. */
const ROOM = 64
/** Events of which something is not done before no more are read. */
const MOST_OPEN = 10_000
const TICK_MS = 200
const LOOK_MS = 30_000
/** What waits or is under way for longer is written down, so that the checkpoint moves on without it. */
const WRITTEN_AFTER_MS = 1000
/** How long a stop waits for what is under way; what has not ended by then is done again. */
const DRAIN_MS = 5000

/** Carries out what follows from events: in order in a lane, gates in turn, each until it is done, refused, or given up (design 7). */
export class Reactor {
  readonly #parts: ReactorParts
  readonly #reactionsTo: (event: RecordedEvent) => readonly Reaction[]
  readonly #byName: ReadonlyMap<string, Reaction>
  readonly #enrolled: Enrolled
  readonly #lanes = new Lanes(ROOM)
  readonly #ledger: Ledger
  #taken: number
  #subscription: Subscription | undefined
  #tick: NodeJS.Timeout | undefined
  #looking: NodeJS.Timeout | undefined
  #reachedAt = 0
  #stopped = false
  #onRoom: () => void = () => undefined

  constructor(parts: ReactorParts, reactions: readonly Reaction[], enrolled: Enrolled) {
    const { books, logger } = parts
    const { checkpoint } = enrolled
    this.#parts = parts
    this.#reactionsTo = reactionsBy(reactions)
    this.#byName = new Map(reactions.map((reaction) => [reaction.name, reaction]))
    this.#enrolled = enrolled
    this.#taken = checkpoint
    const onFailure = (error: unknown) => this.#fault(error)
    this.#ledger = new Ledger({ books, checkpoint, logger, onFailure, onPut: (lane) => this.#offer(lane) })
  }

  /** Position up to which everything is done or written down. */
  get position(): number {
    return this.#ledger.reached
  }

  /** Position up to which events have been taken up, be what follows from them done or not. */
  get taken(): number {
    return this.#taken
  }

  /** What a workspace has under way or could begin now, and when what it owes is due, of what waits for a time of its own. */
  waiting(workspaceId: number): { readonly busy: boolean; readonly due: number | undefined } {
    return this.#lanes.waiting(workspaceId, this.#parts.now())
  }

  /**
   * Takes up a task for an event that was not read just now; the checkpoint does not wait for it.
   *
   * @returns false when its lane has something to do already
   */
  offer(reactionName: string, event: RecordedEvent): boolean {
    const reaction = this.#byName.get(reactionName)
    if (!reaction || this.#stopped) return false
    const lane = this.#laneOf(reaction, event)
    if (lane.busy || lane.owes || lane.queue.length > 0) return false
    const since = performance.now()
    lane.queue.push({ reaction, event, since, attempts: 0, owed: false, holds: false, keeps: false })
    this.#lanes.offer(lane)
    this.#pump()
    return true
  }

  /** Takes up what is owed, and follows the log from the checkpoint on. */
  async start(): Promise<void> {
    const { log, shared } = this.#parts
    await this.#look()
    if (shared) this.#looking = setInterval(() => void this.#look().catch((error) => this.#fault(error)), LOOK_MS)
    this.#subscription = log.subscribe((batch) => this.#take(batch), {
      after: this.#enrolled.checkpoint,
      onError: (error) => this.#fault(error),
    })
    this.#tick = setInterval(() => this.#beat(), TICK_MS)
    this.#pump()
  }

  /** Takes up a row that somebody else has put into the books, as one that was given up and is tried again. */
  revive(row: Owed): void {
    const lane = this.#lanes.find(row.lane)
    if (lane && !lane.owes) this.#writeDown(lane)
    this.#owe(row)
  }

  /** Begins nothing more, and waits a little for what is under way. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#onRoom()
    clearInterval(this.#tick)
    clearInterval(this.#looking)
    await this.#subscription?.close()
    for (let waited = 0; this.#lanes.running > 0 && waited < DRAIN_MS; waited += 10) await sleep(10)
    await this.#ledger.stop()
  }

  async #take(batch: readonly RecordedEvent[]): Promise<void> {
    for (const event of batch) {
      for (const reaction of this.#reactionsTo(event)) {
        if (event.position > (this.#enrolled.since.get(reaction.name) ?? -1)) this.#admit(reaction, event)
      }
    }
    this.#taken = batch.at(-1)!.position
    this.#ledger.see(this.#taken)
    this.#pump()
    while (this.#ledger.open > MOST_OPEN && !this.#stopped) {
      await new Promise<void>((resolve) => {
        this.#onRoom = resolve
      })
    }
  }

  #admit(reaction: Reaction, event: RecordedEvent): void {
    const lane = this.#laneOf(reaction, event)
    const since = performance.now()
    const task: Task = { reaction, event, since, attempts: 0, owed: false, holds: true, keeps: false }
    this.#ledger.begin(event)
    if (lane.owes) this.#ledger.put(lane, [task])
    else {
      lane.queue.push(task)
      this.#lanes.offer(lane)
    }
  }

  #laneOf(reaction: Reaction, event: RecordedEvent): Lane {
    const lane = this.#lanes.lane(`${reaction.name}:${event.stream}`, reaction.gate(event), reaction.width)
    lane.workspaceId = event.metadata.workspace_id
    return lane
  }

  async #look(): Promise<void> {
    for await (const row of this.#parts.books.owed()) this.#owe(row)
  }

  /** A lane owes something that is in the books already. */
  #owe({ lane: name, gate, due, reaction: of, position, workspace_id, error }: Owed): void {
    const reaction = this.#byName.get(of)
    if (!reaction) {
      this.#parts.logger.warn({ reaction: of, position }, 'something is owed by a reaction that is declared no more')
      return
    }
    const lane = this.#lanes.lane(name, gate, reaction.width)
    if (!lane.owes) lane.due = due ?? 0
    else if (due !== null) lane.due = Math.min(lane.due, due)
    lane.owes = true
    lane.workspaceId = workspace_id ?? undefined
    lane.isEarly = error === null && due !== null
    this.#offer(lane)
  }

  #pump(): void {
    if (this.#stopped) return
    for (let lane = this.#lanes.next(); lane; lane = this.#lanes.next()) void this.#run(lane)
  }

  #offer(lane: Lane): void {
    if (lane.due <= this.#parts.now()) this.#lanes.offer(lane)
    this.#pump()
  }

  async #run(lane: Lane): Promise<void> {
    try {
      const task = lane.queue.shift() ?? (await this.#owedIn(lane))
      if (task) {
        lane.running = task
        await this.#carryOut(lane, task)
      }
    } catch (error) {
      this.#fault(error)
    }
    this.#lanes.release(lane, this.#parts.now())
    if (this.#ledger.open <= MOST_OPEN / 2) this.#onRoom()
    this.#pump()
  }

  /** What a lane owes first, if it is due. */
  async #owedIn(lane: Lane): Promise<Task | undefined> {
    const { log, now, logger } = this.#parts
    while (lane.owes && !this.#stopped) {
      const row = await this.#ledger.firstIn(lane)
      if (!row) {
        if (lane.writing === 0) lane.owes = false
        continue
      }
      lane.due = row.due ?? 0
      if (lane.due > now()) return undefined
      const event = await log.at(row.position)
      const reaction = this.#byName.get(row.reaction)!
      const since = performance.now()
      if (event) return { reaction, event, since, attempts: row.attempts, owed: true, holds: false, keeps: false }
      logger.error({ reaction: row.reaction, position: row.position }, 'what is owed is for no event')
      await this.#ledger.drop(row)
    }
    return undefined
  }

  async #carryOut(lane: Lane, task: Task): Promise<void> {
    const { logger, now } = this.#parts
    const turn: Turn = {
      stopping: () => this.#stopped,
      cursor: () => this.#ledger.cursor(lane, task),
      keep: (value) => this.#ledger.keep(lane, task, value),
    }
    const tried = await tryOnce(task, turn, logger)
    if (tried.came === 'done') return this.#ledger.end(lane, task, [])
    if (tried.came === 'refused') return this.#ledger.end(lane, task, refusalsOf(task, tried.reasons, now()))
    if (tried.came === 'early') return this.#wait(lane, task, owedRow(lane, task, tried.notBefore))
    return tried.came === 'failed' ? this.#fail(lane, task, tried.error) : undefined
  }

  async #fail(lane: Lane, task: Task, error: unknown): Promise<void> {
    const { logger, now, pause = pauseAfter } = this.#parts
    const { reaction, event } = task
    const failed = { ...task, attempts: task.attempts + 1 }
    const about = { err: error, reaction: reaction.name, position: event.position, attempts: failed.attempts }
    if (failed.attempts < reaction.tries) {
      const inMs = Math.round(pause(failed.attempts))
      logger.warn({ ...about, again_in_ms: inMs }, 'a reaction failed; it will be tried again')
      return this.#wait(lane, task, owedRow(lane, failed, now() + inMs, messageOf(error)))
    }
    logger.error(about, 'a reaction was given up; see `millrace failures`')
    return this.#ledger.end(lane, task, [{ dead: deadLetter(lane, failed, messageOf(error), now()) }])
  }

  /** A task waits for its time, and its lane behind it. */
  #wait(lane: Lane, task: Task, row: Owed): void {
    const tasks = [task, ...lane.queue]
    lane.queue = []
    lane.due = row.due ?? 0
    lane.isEarly = row.error === null
    this.#ledger.put(lane, tasks, row)
  }

  /** Writes down what a lane has in memory, what is under way too. */
  #writeDown(lane: Lane): void {
    const tasks = [...(lane.running ? [lane.running] : []), ...lane.queue]
    if (tasks.length === 0) return
    lane.queue = []
    lane.due = this.#parts.now()
    this.#ledger.put(lane, tasks, owedRow(lane, tasks[0]!, lane.due))
  }

  #beat(): void {
    const now = performance.now()
    const isOld = (task: Task | undefined) => task?.holds && !task.owed && task.since < now - WRITTEN_AFTER_MS
    for (const lane of this.#lanes.all()) {
      if (!lane.owes && (isOld(lane.running) || isOld(lane.queue[0]))) this.#writeDown(lane)
    }
    if (now > this.#reachedAt + WRITTEN_AFTER_MS) {
      this.#reachedAt = now
      this.#ledger.reach().catch((error: unknown) => this.#fault(error))
    }
    this.#lanes.wake(this.#parts.now())
    this.#pump()
  }

  #fault(error: unknown): void {
    if (!this.#stopped) this.#parts.onFailure(error)
  }
}
