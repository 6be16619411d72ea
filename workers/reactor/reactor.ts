import { setTimeout as sleep } from 'node:timers/promises'
import type { Write } from '../../domain/kernel/engine/write.ts'
import type { Subscription } from '../../domain/kernel/ports/event-log.ts'
import type { PendingTask } from '../../domain/kernel/ports/reactor-store.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { AllLanes } from './all-lanes.ts'
import { Backlog } from './backlog.ts'
import type { Lane, Lanes, Task } from './lanes.ts'
import { Ledger } from './ledger.ts'
import type { LowWatermark } from './low-watermark.ts'
import { type Reaction, reactionsBy, type TaskPlace } from './reaction.ts'
import type { ReactorDeps } from './reactor-deps.ts'
import type { Registered } from './register.ts'
import { TaskRunner } from './task-runner.ts'
import { Writes } from './writes.ts'

/** Events of which something is not done before no more are read. */
const MOST_OPEN = 10_000
const TICK_MS = 200
const LOOK_MS = 30_000
/** What waits or is under way for longer is written down, so that the checkpoint moves on without it. */
const WRITTEN_AFTER_MS = 1000
/** How long a stop waits for what is under way; what has not ended by then is done again. */
const DRAIN_MS = 5000

/** Carries out what follows from events: in order in a lane, groups in turn, each until it is done, refused, or given up (design 7). */
export class Reactor {
  readonly #deps: ReactorDeps
  readonly #reactionsTo: (event: RecordedEvent) => readonly Reaction[]
  readonly #watching: readonly Reaction[]
  readonly #byName: ReadonlyMap<string, Reaction>
  readonly #lanes: AllLanes
  readonly #enrolled: Registered
  readonly #ledger: Ledger
  readonly #carrier: TaskRunner
  readonly #backlog: Backlog
  readonly #writes = new Writes()
  #subscription: Subscription | undefined
  #tick: NodeJS.Timeout | undefined
  #looking: NodeJS.Timeout | undefined
  #reachedAt = 0
  #stopped = false
  #onRoom: () => void = () => undefined

  constructor(deps: ReactorDeps, reactions: readonly Reaction[], enrolled: Registered) {
    const { reactorStore, logger, log, now } = deps
    const { checkpoint } = enrolled
    const onFailure = (error: unknown) => this.#fault(error)
    this.#deps = deps
    this.#reactionsTo = reactionsBy(reactions)
    this.#watching = reactions.filter(({ watch }) => watch)
    this.#byName = new Map(reactions.map((reaction) => [reaction.name, reaction]))
    this.#lanes = new AllLanes(reactions, now)
    this.#enrolled = enrolled
    this.#ledger = new Ledger({ reactorStore, checkpoint, logger, onFailure, onPut: (lane) => this.#offer(lane) })
    this.#carrier = new TaskRunner(deps, this.#ledger, () => this.#stopped)
    this.#backlog = new Backlog({
      log,
      seen: () => this.#ledger.horizon.seen,
      crowd: (reaction, group) => this.#lanes.their(reaction).crowd(group),
      isOpen: (reaction, group) => this.#lanes.their(reaction).isOpen(group),
      concerns: (reaction, event) => this.#reactionsTo(event).includes(reaction),
      admit: (reaction, place, event, holds) => this.#admit(reaction, place, event, holds),
      onAdmitted: (reaction) => this.#begin(this.#lanes.their(reaction)),
      onFailure,
    })
  }

  /** Position up to which everything is done or written down. */
  get position(): number {
    return this.#ledger.horizon.checkpoint
  }

  /** Position up to which events have been taken up, be what follows from them done or not. */
  get taken(): number {
    return this.#ledger.horizon.seen
  }

  /** Whether something of a workspace is under way or could begin, and when, by its clock, the first of what it owes otherwise is due. */
  waiting(workspace: number): { readonly busy: boolean; readonly due: number | undefined } {
    const { busy, due } = this.#lanes.waiting(workspace)
    return { busy: busy || this.#backlog.isWaiting(workspace), due }
  }

  /**
   * Takes up a task for an event that was not read just now; the checkpoint does not wait for it.
   *
   * @returns false when its lane has something to do already
   */
  offer(reactionName: string, event: RecordedEvent): boolean {
    const reaction = this.#byName.get(reactionName)
    const [place] = reaction?.places(event) ?? []
    if (!reaction || !place || this.#stopped) return false
    const lane = this.#lanes.their(reaction).lane(place, event.metadata.workspace_id)
    if (lane.busy || lane.owes || lane.queue.length > 0) return false
    this.#line(lane, { reaction, event, holds: undefined })
    this.#begin(lane.among)
    return true
  }

  /** Begins what has become due: at once where a clock was moved, otherwise with the next beat. */
  wake(): void {
    for (const lanes of this.#lanes.each()) {
      lanes.wake()
      this.#begin(lanes)
    }
  }

  /** Takes up what is owed, and follows the log from the checkpoint on. */
  async start(): Promise<void> {
    const { log, shared, reactorStore } = this.#deps
    for (const behind of await reactorStore.behind()) {
      const reaction = this.#byName.get(behind.reaction)
      if (reaction) this.#backlog.resume(reaction, behind)
    }
    await this.#look()
    if (shared) this.#looking = setInterval(() => void this.#look().catch((error) => this.#fault(error)), LOOK_MS)
    this.#subscription = log.subscribe((batch) => this.#take(batch), {
      after: this.#enrolled.checkpoint,
      onError: (error) => this.#fault(error),
    })
    this.#tick = setInterval(() => this.#beat(), TICK_MS)
  }

  /** Takes up a row that somebody else has put into the books, as one that was given up and is tried again. */
  revive(row: PendingTask): void {
    const lane = this.#lanes.of(row.reaction)?.find(row.lane)
    if (lane && !lane.owes) this.#carrier.writeDown(lane)
    this.#owe(row)
  }

  /** Begins nothing more, and waits a little for what is under way. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#onRoom()
    clearInterval(this.#tick)
    clearInterval(this.#looking)
    this.#backlog.stop()
    await this.#subscription?.close()
    for (let waited = 0; this.#lanes.isUnderWay && waited < DRAIN_MS; waited += 10) await sleep(10)
    await this.#ledger.stop()
  }

  async #take(batch: readonly RecordedEvent[]): Promise<void> {
    for (const [event, write] of this.#writes.each(batch)) {
      for (const reaction of this.#watching) reaction.watch?.(event)
      for (const reaction of this.#reactionsTo(event)) {
        if (event.position <= (this.#enrolled.since.get(reaction.name) ?? -1)) continue
        if (reaction.toWrites && !this.#writes.isFirstFor(reaction)) continue
        for (const place of reaction.places(event)) this.#takeUp(reaction, place, event, write)
      }
      this.#ledger.horizon.see(event.position)
    }
    this.#backlog.seenMore()
    for (const lanes of this.#lanes.each()) this.#begin(lanes)
    while (this.#ledger.horizon.size > MOST_OPEN && !this.#stopped) {
      await new Promise<void>((resolve) => {
        this.#onRoom = resolve
      })
    }
  }

  #takeUp(reaction: Reaction, place: TaskPlace, event: RecordedEvent, write: Write | undefined): void {
    if (this.#backlog.isBehind(place.group, event.position)) return
    if (this.#admit(reaction, place, event, this.#ledger.horizon, write)) return
    const entry = this.#backlog.fallBehind(reaction, place.group, event, this.#ledger.horizon.seen)
    if (entry) this.#ledger.before(event.position, entry)
  }

  /** @param holds what waits for it to be done or written down. @returns whether there was room for it */
  #admit(reaction: Reaction, place: TaskPlace, event: RecordedEvent, holds: LowWatermark, write?: Write): boolean {
    const lanes = this.#lanes.their(reaction)
    const isCrowded = Backlog.isCrowded(lanes.crowd(place.group))
    const lane = lanes.find(place.lane)
    if (lane ? Backlog.isCrowded(lane.queue.length) : isCrowded) return false
    this.#line(lanes.lane(place, event.metadata.workspace_id), { reaction, event, holds, ...(write && { write }) })
    return true
  }

  #line(lane: Lane, taken: Pick<Task, 'reaction' | 'event' | 'holds' | 'write'>): void {
    const task = { ...taken, since: performance.now(), attempts: 0, owed: false, keeps: false }
    task.holds?.begin(task.event.position)
    if (lane.owes) {
      this.#ledger.put(lane, [task])
      return
    }
    lane.queue.push(task)
    lane.among.offer(lane)
  }

  async #look(): Promise<void> {
    for await (const row of this.#deps.reactorStore.pending()) this.#owe(row)
  }

  /** A lane owes something that is in the books already. */
  #owe({ lane: name, gate: group, due, reaction: of, position, workspace_id: workspace }: PendingTask): void {
    const lanes = this.#lanes.of(of)
    if (!lanes) {
      this.#deps.logger.warn({ reaction: of, position }, 'something is owed by a reaction that is declared no more')
      return
    }
    const lane = lanes.lane({ lane: name, group }, workspace ?? undefined)
    if (!lane.owes) lane.due = due ?? 0
    else if (due !== null) lane.due = Math.min(lane.due, due)
    lane.owes = true
    this.#offer(lane)
  }

  /** Begins what has its turn, as far as there is room. */
  #begin(lanes: Lanes): void {
    if (this.#stopped) return
    for (let lane = lanes.next(); lane; lane = lanes.next()) void this.#run(lane)
  }

  #offer(lane: Lane): void {
    lane.among.offer(lane)
    this.#begin(lane.among)
  }

  async #run(lane: Lane): Promise<void> {
    try {
      const task = lane.queue.shift() ?? (await this.#carrier.owedIn(lane, this.#byName))
      if (task) {
        lane.running = task
        await this.#carrier.carryOut(lane, task)
      }
    } catch (error) {
      this.#fault(error)
    }
    lane.among.release(lane)
    this.#backlog.roomAt(lane.group)
    if (this.#ledger.horizon.size <= MOST_OPEN / 2) this.#onRoom()
    this.#begin(lane.among)
  }

  #beat(): void {
    const now = performance.now()
    for (const lanes of this.#lanes.each())
      for (const lane of lanes.all()) this.#carrier.writeDownOld(lane, now - WRITTEN_AFTER_MS)
    this.wake()
    if (now > this.#reachedAt + WRITTEN_AFTER_MS) {
      this.#reachedAt = now
      this.#ledger.reach(this.#backlog.beat()).catch((error: unknown) => this.#fault(error))
    }
  }

  #fault(error: unknown): void {
    if (!this.#stopped) this.#deps.onFailure(error)
  }
}
