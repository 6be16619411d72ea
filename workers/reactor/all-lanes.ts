import type { PendingTask } from '../../domain/kernel/ports/reactor-store.ts'
import { type Clock, type Lane, Lanes } from './lanes.ts'
import type { Reaction } from './reaction.ts'

/** The lanes of every reaction. Each reaction has limits of its own, so that none waits for another. */
export class AllLanes {
  readonly #byReaction: ReadonlyMap<string, Lanes>

  constructor(reactions: readonly Reaction[], now: Clock) {
    this.#byReaction = new Map(reactions.map((reaction) => [reaction.name, new Lanes(reaction, now)]))
  }

  /** Returns the lanes of a reaction; `undefined`: it is no longer declared. */
  of(reaction: string): Lanes | undefined {
    return this.#byReaction.get(reaction)
  }

  /** Returns the lanes of a declared reaction. */
  ofReaction({ name }: Reaction): Lanes {
    return this.#byReaction.get(name)!
  }

  /** Notes that a lane has a task in the reactor store. @returns `undefined`: its reaction is no longer declared */
  owing({ lane: name, gate: group, due, reaction, workspace_id: workspace }: PendingTask): Lane | undefined {
    const lane = this.#byReaction.get(reaction)?.lane({ lane: name, group }, workspace ?? undefined)
    if (!lane) return undefined
    if (!lane.hasPending) lane.due = due ?? 0
    else if (due !== null) lane.due = Math.min(lane.due, due)
    lane.hasPending = true
    return lane
  }

  /** Tells how crowded groups are. */
  readonly capacity = {
    crowd: (reaction: Reaction, group: string): number => this.ofReaction(reaction).waitingCount(group),
    isOpen: (reaction: Reaction, group: string): boolean => this.ofReaction(reaction).isOpen(group),
  }

  get isUnderWay(): boolean {
    return [...this.#byReaction.values()].some(({ running }) => running > 0)
  }

  /** Tells whether a task of a workspace runs or could begin, and when, by its clock, the first of its later tasks is due. */
  waiting(workspace: number): { readonly busy: boolean; readonly due: number | undefined } {
    const each = [...this.#byReaction.values()].map((lanes) => lanes.waiting(workspace))
    const dues = each.flatMap(({ due }) => due ?? [])
    return { busy: each.some(({ busy }) => busy), due: dues.length === 0 ? undefined : Math.min(...dues) }
  }

  each(): Iterable<Lanes> {
    return this.#byReaction.values()
  }
}
