import { type Clock, clockOf, timeBy } from '../domain/account/public.ts'
import type { Change, Document, ReadModels, Watched } from '../domain/kernel/ports/read-models.ts'
import type { MaybePromise } from '../domain/kernel/values/maybe-promise.ts'

interface WorkspaceClockDeps {
  readonly live: ReadModels
  /** The same, where every change of them is heard of. */
  readonly watched?: Watched | undefined
  /** Whether other processes may move clocks: then they are looked up now and then. */
  readonly shared: boolean
  /** The clock of the machine; milliseconds since 1970. */
  readonly machine: () => number
}

interface Kept {
  readonly clock: Clock
  /** Of the workspace's document. */
  readonly revision: number
  /** The latest that anybody here was told; milliseconds since 1970. */
  shown: number
}

const COLLECTION = 'workspace'
/** How stale a clock may be that another process has moved. */
const LOOK_MS = 2000
/** Where there are none it is looked for them so much more seldom. */
const SELDOM = 3

/** The clock of every workspace (design 7): that of the machine, but for test workspaces, which alone cost anything. */
export class WorkspaceClocks {
  readonly #deps: WorkspaceClockDeps
  readonly #kept = new Map<number, Kept>()
  readonly #sent = new Set<(workspaceId: number) => void>()
  #looking: NodeJS.Timeout | undefined

  constructor(deps: WorkspaceClockDeps) {
    this.#deps = deps
    deps.watched?.watch((changes) => (changes ? this.#hear(changes) : void this.#lookAgain()))
  }

  /**
   * What the clock of a workspace shows; without one, of the machine. Milliseconds since 1970. It never goes back: where it is sent somewhere
   * it stands still from the request on, but runs here until this process hears of that, and what happens meanwhile has its time.
   */
  readonly now = (workspaceId?: number): number => {
    const machine = this.#deps.machine()
    if (this.#kept.size === 0 || workspaceId === undefined) return machine
    const kept = this.#kept.get(workspaceId)
    if (!kept) return machine
    kept.shown = Math.max(kept.shown, timeBy(kept.clock, machine))
    return kept.shown
  }

  /** The clock of a test workspace, as far as this process knows. */
  of(workspaceId: number): Clock | undefined {
    return this.#kept.get(workspaceId)?.clock
  }

  /** Test workspaces whose clock runs, and those whose clock is being advanced. */
  inState(state: Clock['state']): readonly number[] {
    return [...this.#kept].flatMap(([id, { clock }]) => (clock.state === state ? id : []))
  }

  /** Tells of clocks that are being advanced, as they are heard of, and of those that already are. @returns what ends it */
  onSent(listener: (workspaceId: number) => void): () => void {
    this.#sent.add(listener)
    for (const id of this.inState('advancing')) listener(id)
    return () => void this.#sent.delete(listener)
  }

  /**
   * Whether a clock is being advanced; asked for anew where another process may have sent it.
   * @param isTested whether the workspace is known to have a clock of its own, though perhaps not here
   */
  readonly advances = (workspaceId: number, isTested = false): MaybePromise<boolean> => {
    const known = this.of(workspaceId)
    if (!this.#deps.shared || !(known || isTested)) return known?.state === 'advancing'
    return this.look(workspaceId).then(() => this.of(workspaceId)?.state === 'advancing')
  }

  /** Reads all clocks, and goes on doing so where other processes may move them. */
  async start(): Promise<void> {
    await this.#lookAgain()
    if (!this.#deps.shared) return
    let turns = 0
    this.#looking = setInterval(() => {
      if (this.#kept.size > 0 || ++turns % SELDOM === 0) void this.#lookAgain()
    }, LOOK_MS).unref()
  }

  stop(): void {
    clearInterval(this.#looking)
  }

  /** Reads the clock of a workspace. */
  async look(workspaceId: number): Promise<void> {
    this.#note(await this.#deps.live.get(COLLECTION, workspaceId))
  }

  #hear(changes: readonly Change[]): void {
    for (const { collection, document } of changes) if (collection === COLLECTION && document) this.#note(document)
  }

  /** Where the read models cannot be read, clocks stay as they were. */
  async #lookAgain(): Promise<void> {
    try {
      for (const document of await this.#deps.live.find(COLLECTION, { where: { test: true } })) this.#note(document)
    } catch {
      // It is looked at again.
    }
  }

  #note(document: Document | undefined): void {
    const clock = document && clockOf(document)
    if (!clock) return
    const [id, revision] = [Number(document.id), Number(document.rev)]
    const known = this.#kept.get(id)
    if (revision < (known?.revision ?? 0)) return
    this.#kept.set(id, { clock, revision, shown: known?.shown ?? 0 })
    if (clock.state === 'advancing') for (const tell of this.#sent) tell(id)
  }
}
