import type { Logger } from 'pino'
import { ALL_WORKSPACES } from '../../domain/kernel/model/due.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { Resource } from '../../domain/resources/resource.ts'
import { isPassing } from '../retry-while-unavailable.ts'
import { dueAt, dueBy, keyOf, newestEventOf, nextDue } from './due.ts'
import type { TaskAcceptor } from './offering.ts'
import { TIMERS, type TimerNotes } from './reaction.ts'

export interface ScheduleDeps {
  readonly resources: Iterable<Resource>
  readonly live: ReadModels
  readonly log: EventLog
  readonly now: (workspaceId?: number) => number
  /** Workspaces with a running clock of their own. */
  readonly ownClocks: () => Iterable<number>
  readonly logger: Logger
  /** Called with an error after which the process must be restarted. */
  readonly onFailure: (error: unknown) => void
}

/** Workspace of a record; 0: none. */
const workspaceOf = ({ workspace_id: id }: Document): number => (typeof id === 'number' ? id : 0)

/** Longest time between two looks. Other processes write, clocks are moved, and documents are rebuilt. */
const LOOK_MS = 10_000
/** Time until the next look where something is due whose lane is busy. */
const AGAIN_MS = 500
/** Highest number of records that are handed over and not done. More follow when half of them are done. */
const MOST_HANDED = 1000
/** Highest number of a workspace: what it has beyond waits, and no other workspace waits for it. */
const MOST_OF_ONE = 500
/** Events that are looked up together. */
const AT_ONCE = 32

/**
 * Knows when something is due next, and hands it over to the reactor then. While nothing is due it only reads the earliest
 * due time, now and then.
 */
export class Schedule implements TimerNotes {
  readonly #deps: ScheduleDeps
  readonly #timed: readonly Resource[]
  /** Workspaces of the records that were handed over. */
  readonly #handed = new Map<string, number>()
  readonly #handedOf = new Map<number, number>()
  /** When something of a workspace is due, or may be; those of which nothing is known are looked at in time like all. */
  readonly #dueIn = new Map<number, number>()
  #knowsWorkspaces = false
  /** Revision at which a record got stuck. */
  readonly #stuck = new Map<string, number>()
  #offering: TaskAcceptor | undefined
  #timer: NodeJS.Timeout | undefined
  /** By the clock of the machine. */
  #wakeAt = Number.POSITIVE_INFINITY
  #looking: Promise<void> | undefined
  /** Whether more is due than was handed over. */
  #hasMore = false

  constructor(deps: ScheduleDeps) {
    this.#deps = deps
    this.#timed = [...deps.resources].filter(({ timers }) => timers)
  }

  /** Starts with what has become due in the meantime. */
  start(offering: TaskAcceptor): void {
    this.#offering = offering
    if (this.#timed.length > 0) this.#wake(0)
  }

  /** Stops handing over. */
  async stop(): Promise<void> {
    this.#offering = undefined
    clearTimeout(this.#timer)
    await this.#looking
  }

  settled(resource: Resource, id: number, workspaceId: number | undefined, due: number): void {
    const key = keyOf(resource, { id })
    this.#stuck.delete(key)
    this.#done(key)
    if (!Number.isFinite(due)) return
    const { now } = this.#deps
    if (workspaceId !== undefined) this.#dueIn.set(workspaceId, Math.min(due, this.#dueIn.get(workspaceId) ?? due))
    this.#wake(due - now(workspaceId) + now())
  }

  stuck(resource: Resource, id: number, revision: number): void {
    const key = keyOf(resource, { id })
    this.#stuck.set(key, revision)
    this.#done(key)
  }

  /** Hands over what is due in a workspace. @returns how many records */
  async handOver(workspaceId: number): Promise<number> {
    let handed = 0
    for (const resource of this.#timed) handed += (await this.#handOver(resource, workspaceId)).handed
    return handed
  }

  /** Returns when something of a workspace is due next, after `time`; milliseconds since 1970. */
  nextIn(workspaceId: number, time: number): Promise<number> {
    return nextDue(this.#deps.live, this.#timed, workspaceId, time)
  }

  /** Looks immediately for what is due. */
  look(): void {
    this.#wake(0)
  }

  #done(key: string): void {
    const workspaceId = this.#handed.get(key)
    if (workspaceId === undefined) return
    const left = this.#count(workspaceId) - 1
    this.#handed.delete(key)
    if (left > 0) this.#handedOf.set(workspaceId, left)
    else this.#handedOf.delete(workspaceId)
    if (this.#hasMore && this.#hasRoom(left)) this.#wake(0)
  }

  #count(workspaceId: number): number {
    return this.#handedOf.get(workspaceId) ?? 0
  }

  /** Whether so much is done, of all and of a workspace with so many left, that more is handed over. */
  #hasRoom(left: number): boolean {
    return this.#handed.size <= MOST_HANDED / 2 && (left === MOST_OF_ONE / 2 || left === 0)
  }

  /** Plans a look at this time, unless an earlier one is planned. */
  #wake(at: number): void {
    if (at >= this.#wakeAt || !this.#offering) return
    this.#wakeAt = at
    clearTimeout(this.#timer)
    const inMs = Math.min(Math.max(at - this.#deps.now(), 0), LOOK_MS)
    this.#timer = setTimeout(() => {
      this.#looking = (this.#looking ?? Promise.resolve()).then(() => this.#look())
    }, Math.ceil(inMs))
  }

  async #look(): Promise<void> {
    const { now, logger, onFailure } = this.#deps
    this.#wakeAt = Number.POSITIVE_INFINITY
    let next = now() + LOOK_MS
    try {
      next = Math.min(next, await this.#lookAt())
    } catch (error) {
      if (!isPassing(error)) return onFailure(error)
      logger.warn({ err: error }, 'due timers cannot be looked up for now')
    }
    this.#wake(next)
  }

  /** Hands over what is due. @returns when to look again, by the clock of the machine */
  async #lookAt(): Promise<number> {
    const { live, now, ownClocks } = this.#deps
    let next = Number.POSITIVE_INFINITY
    this.#hasMore = false
    for (const within of [ALL_WORKSPACES, ...ownClocks()]) {
      const time = within === ALL_WORKSPACES ? now() : now(within)
      let due = await nextDue(live, this.#timed, within)
      if (due <= time) {
        for (const resource of this.#timed) {
          const { wasBusy } = await this.#handOver(resource, within)
          if (wasBusy) next = Math.min(next, now() + AGAIN_MS)
        }
        if (within === ALL_WORKSPACES && this.#hasMore) await this.#handOverOthers(time)
        due = await nextDue(live, this.#timed, within, time)
      }
      next = Math.min(next, due - time + now())
    }
    return next
  }

  /** Hands over what is due in workspaces of which nothing is under way: those that have much due longer fill all pages. */
  async #handOverOthers(time: number): Promise<void> {
    const { live } = this.#deps
    if (!this.#knowsWorkspaces) {
      const all = await live.find('workspace', { where: {} })
      for (const { id } of all) if (!this.#dueIn.has(Number(id))) this.#dueIn.set(Number(id), 0)
      this.#knowsWorkspaces = true
    }
    for (const [workspaceId, due] of [...this.#dueIn]) {
      if (due > time || this.#count(workspaceId) > 0) continue
      for (const resource of this.#timed) await this.#handOver(resource, workspaceId, MOST_OF_ONE)
      this.#dueIn.delete(workspaceId)
      const next = await nextDue(live, this.#timed, workspaceId, this.#count(workspaceId) > 0 ? undefined : time)
      if (Number.isFinite(next)) this.#dueIn.set(workspaceId, Math.min(next, this.#dueIn.get(workspaceId) ?? next))
    }
  }

  async #handOver(
    resource: Resource,
    within: number,
    most = MOST_HANDED,
  ): Promise<{ handed: number; wasBusy: boolean }> {
    const { live, now } = this.#deps
    const time = within === ALL_WORKSPACES ? now() : now(within)
    const limit = most + this.#stuck.size + this.#handed.size
    const found = await dueBy(live, resource, within, time, limit)
    const due = found.filter((document) => this.#isNew(resource, document))
    const fresh = this.#withinShares(due)
    let [handed, wasBusy] = [0, false]
    while (fresh.length > 0 && this.#handed.size < MOST_HANDED + (most === MOST_HANDED ? 0 : most) && this.#offering) {
      const some = fresh.splice(0, AT_ONCE)
      const taken = await Promise.all(some.map((document) => this.#hand(resource, document)))
      handed += taken.filter(Boolean).length
      wasBusy ||= taken.includes(false)
    }
    this.#hasMore ||= found.length === limit || due.length > handed
    return { handed, wasBusy }
  }

  /** Returns of each workspace as many records as may be handed over. */
  #withinShares(documents: readonly Document[]): Document[] {
    const counts = new Map(this.#handedOf)
    return documents.filter((document) => {
      const workspaceId = workspaceOf(document)
      const count = (counts.get(workspaceId) ?? 0) + 1
      counts.set(workspaceId, count)
      return count <= MOST_OF_ONE
    })
  }

  /** Whether a record is due by its own clock, and neither handed over nor stuck. */
  #isNew(resource: Resource, document: Document): boolean {
    const key = keyOf(resource, document)
    const { workspace_id: workspaceId } = document
    const time = this.#deps.now(typeof workspaceId === 'number' ? workspaceId : undefined)
    return !this.#handed.has(key) && this.#stuck.get(key) !== document.rev && dueAt(document) <= time
  }

  async #hand(resource: Resource, document: Document): Promise<boolean> {
    const key = keyOf(resource, document)
    // Set first, because the task may be done before `offer` returns.
    const workspaceId = workspaceOf(document)
    this.#handed.set(key, workspaceId)
    this.#handedOf.set(workspaceId, this.#count(workspaceId) + 1)
    const event = await newestEventOf(this.#deps.log, resource, document)
    const isTaken = event !== undefined && this.#offering?.offer(TIMERS, event) === true
    if (!isTaken) this.#done(key)
    return isTaken
  }
}
