import { type Clock, clockOf, timeBy } from '../domain/account/public.ts'
import type { Change, Document, ReadModels, WatchedReadModels } from '../domain/kernel/ports/read-models.ts'
import type { MaybePromise } from '../domain/kernel/values/maybe-promise.ts'

interface WorkspaceClockDeps {
  readonly live: ReadModels
  /** The same read models, if they give notice of every change. */
  readonly watched?: WatchedReadModels | undefined
  /** Whether other processes may move clocks: clocks are then read again at intervals. */
  readonly shared: boolean
  /** The clock of the machine; milliseconds since 1970. */
  readonly machine: () => number
}

interface ClockEntry {
  readonly clock: Clock
  /** Of the workspace's document. */
  readonly revision: number
  /** Latest time that this process has given out; milliseconds since 1970. */
  shown: number
}

const COLLECTION = 'workspace'
/** Interval at which clocks are read again that other processes may move. */
const READ_AGAIN_MS = 2000
/** Factor by which that interval is longer while no test workspace is known. */
const SELDOM_FACTOR = 3

/** Clocks of all workspaces. Test workspaces have their own; all others use that of the machine, which costs nothing. */
export class WorkspaceClocks {
  readonly #deps: WorkspaceClockDeps
  readonly #clocks = new Map<number, ClockEntry>()
  readonly #listeners = new Set<(workspaceId: number) => void>()
  #timer: NodeJS.Timeout | undefined

  constructor(deps: WorkspaceClockDeps) {
    this.#deps = deps
    deps.watched?.watch((changes) => (changes ? this.#apply(changes) : void this.#readAll()))
  }

  /**
   * Returns the time of a workspace's clock, or of the machine's; milliseconds since 1970. It never goes back. A clock that is being advanced
   * stands still from the request on. It runs on here until this process learns of the request, and events in between have that later time.
   */
  readonly now = (workspaceId?: number): number => {
    const machine = this.#deps.machine()
    if (this.#clocks.size === 0 || workspaceId === undefined) return machine
    const entry = this.#clocks.get(workspaceId)
    if (!entry) return machine
    entry.shown = Math.max(entry.shown, timeBy(entry.clock, machine))
    return entry.shown
  }

  /** Clock of a test workspace, as far as this process knows it. */
  of(workspaceId: number): Clock | undefined {
    return this.#clocks.get(workspaceId)?.clock
  }

  /** Ids of the test workspaces whose clock is in this state. */
  inState(state: Clock['state']): readonly number[] {
    return [...this.#clocks].flatMap(([id, { clock }]) => (clock.state === state ? id : []))
  }

  /** Calls the listener for each clock that is being advanced, now or later. @returns a function that removes the listener */
  onSent(listener: (workspaceId: number) => void): () => void {
    this.#listeners.add(listener)
    for (const id of this.inState('advancing')) listener(id)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Whether a clock is being advanced. Reads the clock again where another process may have advanced it.
   * @param isTested whether the workspace has a clock of its own, even if this process has not read it yet
   */
  readonly advances = (workspaceId: number, isTested = false): MaybePromise<boolean> => {
    const known = this.of(workspaceId)
    if (!this.#deps.shared || !(known || isTested)) return known?.state === 'advancing'
    return this.look(workspaceId).then(() => this.of(workspaceId)?.state === 'advancing')
  }

  /** Reads all clocks, and reads them again at intervals where other processes may move them. */
  async start(): Promise<void> {
    await this.#readAll()
    if (!this.#deps.shared) return
    let turns = 0
    this.#timer = setInterval(() => {
      if (this.#clocks.size > 0 || ++turns % SELDOM_FACTOR === 0) void this.#readAll()
    }, READ_AGAIN_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Reads the clock of a workspace. */
  async look(workspaceId: number): Promise<void> {
    this.#update(await this.#deps.live.get(COLLECTION, workspaceId))
  }

  #apply(changes: readonly Change[]): void {
    for (const { collection, document } of changes) if (collection === COLLECTION && document) this.#update(document)
  }

  /** Clocks stay as they are while the read models cannot be read. */
  async #readAll(): Promise<void> {
    try {
      for (const document of await this.#deps.live.find(COLLECTION, { where: { test: true } })) this.#update(document)
    } catch {
      // The next call tries again.
    }
  }

  #update(document: Document | undefined): void {
    const clock = document && clockOf(document)
    if (!clock) return
    const [id, revision] = [Number(document.id), Number(document.rev)]
    const known = this.#clocks.get(id)
    if (revision < (known?.revision ?? 0)) return
    this.#clocks.set(id, { clock, revision, shown: known?.shown ?? 0 })
    if (clock.state === 'advancing') for (const notify of this.#listeners) notify(id)
  }
}
