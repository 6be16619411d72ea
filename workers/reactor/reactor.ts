import { setTimeout as sleep } from 'node:timers/promises'
import type { Write } from '../../domain/kernel/engine/write.ts'
import type { Subscription } from '../../domain/kernel/ports/event-log.ts'
import type { PendingTask, StoreChange } from '../../domain/kernel/ports/reactor-store.ts'
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
import { Trials } from './trials.ts'
import { UnderWay } from './under-way.ts'
import { Writes } from './writes.ts'

/** Number of events with unfinished tasks above which no more are read. */
const MOST_OPEN = 10_000
const TICK_MS = 200
const LOOK_MS = 30_000
/** Age at which a waiting or running task is written down, so that the checkpoint need not wait for it. */
const WRITTEN_AFTER_MS = 1000
/** How long a stop waits for running tasks. Those that have not ended by then run again after the next start. */
const DRAIN_MS = 5000

/** Runs the reactions to events: each lane in order, concurrency groups in turn, each task until it is done, refused, or given up. */
export class Reactor {
  readonly #deps: ReactorDeps
  readonly #reactionsTo: (event: RecordedEvent) => readonly Reaction[]
  readonly #watching: readonly Reaction[]
  readonly #byName: ReadonlyMap<string, Reaction>
  readonly #lanes: AllLanes
  readonly #registered: Registered
  readonly #ledger: Ledger
  readonly #taskRunner: TaskRunner
  readonly #backlog: Backlog
  readonly #writes = new Writes()
  readonly #underWay: UnderWay
  readonly #trials: Trials
  #subscription: Subscription | undefined
  #tick: NodeJS.Timeout | undefined
  #poll: NodeJS.Timeout | undefined
  #reachedAt = 0
  #stopped = false
  #onProgress: () => void = () => undefined

  constructor(deps: ReactorDeps, reactions: readonly Reaction[], registered: Registered) {
    const { reactorStore, logger, log, now } = deps
    const { checkpoint } = registered
    const onFailure = (error: unknown) => this.#fault(error)
    this.#deps = deps
    this.#reactionsTo = reactionsBy(reactions)
    this.#watching = reactions.filter(({ watch }) => watch)
    this.#byName = new Map(reactions.map((reaction) => [reaction.name, reaction]))
    this.#lanes = new AllLanes(reactions, now)
    this.#registered = registered
    this.#ledger = new Ledger({ reactorStore, checkpoint, logger, onFailure, onPut: (lane) => this.#offer(lane) })
    const write = (changes: readonly StoreChange[]) => this.#ledger.write(changes)
    this.#underWay = new UnderWay({ reactorStore, checkpoint, write, logger })
    const [run, isStopped] = [(lane: Lane) => this.#run(lane), () => this.#stopped]
    this.#trials = new Trials({ lanes: this.#lanes, underWay: this.#underWay, run, isStopped })
    this.#taskRunner = new TaskRunner({ ...deps, reactions: this.#byName }, this.#ledger, this.#underWay, isStopped)
    this.#backlog = new Backlog({
      ...{ log, onFailure, seen: () => this.#ledger.lowWatermark.seen, ...this.#lanes.capacity },
      concerns: (reaction, event) => this.#reactionsTo(event).includes(reaction),
      admit: (reaction, place, event, watermark) => this.#admit(reaction, place, event, watermark),
      onAdmitted: (reaction) => this.#startLanes(this.#lanes.ofReaction(reaction)),
    })
  }

  /** Position up to which everything is done or written down. */
  get position(): number {
    return this.#ledger.lowWatermark.checkpoint
  }

  /** Position up to which events have been taken up, whether or not their tasks are done. */
  get taken(): number {
    return this.#ledger.lowWatermark.seen
  }

  /** Tells whether a task of a workspace runs or could begin, and when, by its clock, the first of its later tasks is due. */
  waiting(workspace: number): { readonly busy: boolean; readonly due: number | undefined } {
    const { busy, due } = this.#lanes.waiting(workspace)
    return { busy: busy || this.#backlog.isWaiting(workspace), due }
  }

  /**
   * Takes up a task for an event that was read before. The checkpoint does not wait for it.
   *
   * @returns false when its lane has something to do already, or the reactor is stopped
   */
  offer(reactionName: string, event: RecordedEvent): boolean {
    const reaction = this.#byName.get(reactionName)
    const [place] = reaction?.places(event) ?? []
    if (!reaction || !place || this.#stopped) return false
    const lane = this.#lanes.ofReaction(reaction).lane(place, event.metadata.workspace_id)
    if (lane.busy || lane.hasPending || lane.queue.length > 0) return false
    this.#enqueue(lane, { reaction, event, watermark: undefined })
    this.#startLanes(lane.lanes)
    return true
  }

  /** Starts the tasks that have become due. Called every `TICK_MS`, and at once where a clock was moved. */
  wake(): void {
    for (const lanes of this.#lanes.each()) {
      lanes.wake()
      this.#startLanes(lanes)
    }
  }

  /** Takes up the pending tasks, and follows the log from the checkpoint on. What may have ended the process before is tried alone first. */
  async start(): Promise<void> {
    const suspects = await this.#underWay.begin(Date.now())
    if (suspects.length === 0) return this.#follow()
    const trying = this.#trials.run(suspects).then(() => this.#follow())
    trying.catch((error: unknown) => this.#fault(error))
  }

  async #follow(): Promise<void> {
    if (this.#stopped) return
    const { log, shared, reactorStore } = this.#deps
    for (const behind of await reactorStore.behind()) this.#backlog.resume(this.#byName.get(behind.reaction), behind)
    await this.#readPending()
    if (shared) this.#poll = setInterval(() => void this.#readPending().catch((error) => this.#fault(error)), LOOK_MS)
    this.#subscription = log.subscribe((batch) => this.#onEvents(batch), {
      after: this.#registered.checkpoint,
      onError: (error) => this.#fault(error),
    })
    this.#tick = setInterval(() => this.#beat(), TICK_MS)
  }

  /** Takes up a row that was written to the reactor store elsewhere, such as a dead letter that is retried. */
  revive(row: PendingTask): void {
    const lane = this.#lanes.of(row.reaction)?.find(row.lane)
    if (lane && !lane.hasPending) this.#taskRunner.writeDown(lane)
    this.#notePending(row)
  }

  /** Starts no more tasks, and waits for the running ones, for `DRAIN_MS` at most. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#onProgress()
    clearInterval(this.#tick)
    clearInterval(this.#poll)
    this.#backlog.stop()
    await this.#subscription?.close()
    for (let waited = 0; this.#lanes.isUnderWay && waited < DRAIN_MS; waited += 10) await sleep(10)
    const noting = this.#underWay.stop().catch(() => undefined)
    await this.#ledger.stop()
    await noting
  }

  async #onEvents(batch: readonly RecordedEvent[]): Promise<void> {
    for (const [event, write] of this.#writes.each(batch)) {
      for (const reaction of this.#watching) reaction.watch?.(event)
      for (const reaction of this.#reactionsTo(event)) {
        if (event.position <= (this.#registered.since.get(reaction.name) ?? -1)) continue
        if (reaction.oncePerWrite && !this.#writes.isFirstFor(reaction)) continue
        for (const place of reaction.places(event)) this.#takeUp(reaction, place, event, write)
      }
      this.#ledger.lowWatermark.see(event.position)
    }
    this.#backlog.seenMore()
    for (const lanes of this.#lanes.each()) this.#startLanes(lanes)
    while (this.#ledger.lowWatermark.size > MOST_OPEN && !this.#stopped) {
      await new Promise<void>((resolve) => {
        this.#onProgress = resolve
      })
    }
  }

  #takeUp(reaction: Reaction, place: TaskPlace, event: RecordedEvent, write: Write | undefined): void {
    const { lowWatermark } = this.#ledger
    if (this.#backlog.leave(place.group, event, lowWatermark.seen)) return
    if (this.#admit(reaction, place, event, lowWatermark, write)) return
    const entry = this.#backlog.fallBehind(reaction, place.group, event, lowWatermark.seen)
    if (entry) this.#ledger.before(event.position, entry)
  }

  /** @param watermark waits until it is done or written down. @returns whether it was taken up */
  #admit(reaction: Reaction, place: TaskPlace, event: RecordedEvent, watermark: LowWatermark, write?: Write): boolean {
    if (this.#underWay.isAside({ lane: place.lane, position: event.position })) return true
    const lanes = this.#lanes.ofReaction(reaction)
    const isCrowded = Backlog.isCrowded(lanes.waitingCount(place.group))
    const lane = lanes.find(place.lane)
    if (lane ? Backlog.isCrowded(lane.queue.length) : isCrowded) return false
    const task = { reaction, event, watermark, ...(write && { write }) }
    this.#enqueue(lanes.lane(place, event.metadata.workspace_id), task)
    return true
  }

  #enqueue(lane: Lane, added: Pick<Task, 'reaction' | 'event' | 'watermark' | 'write'>): void {
    const task = { ...added, since: performance.now(), attempts: 0, isPending: false, keeps: false }
    task.watermark?.begin(task.event.position)
    if (lane.hasPending) return void this.#ledger.put(lane, [task])
    lane.queue.push(task)
    lane.lanes.offer(lane)
  }

  async #readPending(): Promise<void> {
    for await (const row of this.#deps.reactorStore.pending()) this.#notePending(row)
  }

  #notePending(row: PendingTask): void {
    const { reaction, position } = row
    const lane = this.#lanes.owing(row)
    if (lane) this.#offer(lane)
    else this.#deps.logger.warn({ reaction, position }, 'a pending task belongs to an undeclared reaction')
  }

  /** Starts the lanes whose turn it is, as far as the limits allow. */
  #startLanes(lanes: Lanes): void {
    if (this.#stopped || this.#trials.isOn) return
    for (let lane = lanes.next(); lane; lane = lanes.next()) void this.#run(lane)
  }

  #offer(lane: Lane): void {
    lane.lanes.offer(lane)
    this.#startLanes(lane.lanes)
  }

  async #run(lane: Lane): Promise<void> {
    try {
      await this.#taskRunner.runFirst(lane)
    } catch (error) {
      this.#fault(error)
    }
    lane.lanes.release(lane)
    this.#backlog.roomAt(lane.group)
    if (this.#ledger.lowWatermark.size <= MOST_OPEN / 2) this.#onProgress()
    this.#startLanes(lane.lanes)
  }

  #beat(): void {
    const now = performance.now()
    for (const lanes of this.#lanes.each())
      for (const lane of lanes.all()) this.#taskRunner.writeDownOld(lane, now - WRITTEN_AFTER_MS)
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
