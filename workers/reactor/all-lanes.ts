import { type Clock, type Lane, Lanes } from './lanes.ts'
import type { Reaction } from './reaction.ts'

/** The lanes of every reaction: each has room of its own, so that none waits for another's. */
export class AllLanes {
  readonly #byReaction: ReadonlyMap<string, Lanes>

  constructor(reactions: readonly Reaction[], now: Clock) {
    this.#byReaction = new Map(reactions.map((reaction) => [reaction.name, new Lanes(reaction, now)]))
  }

  /** Those of a reaction; `undefined`: it is declared no more. */
  of(reaction: string): Lanes | undefined {
    return this.#byReaction.get(reaction)
  }

  /** Those of a reaction that is declared. */
  their({ name }: Reaction): Lanes {
    return this.#byReaction.get(name)!
  }

  *all(): Generator<Lane> {
    for (const lanes of this.#byReaction.values()) yield* lanes.all()
  }

  get isUnderWay(): boolean {
    return [...this.#byReaction.values()].some(({ running }) => running > 0)
  }

  /** Whether something of a workspace is under way or could begin, and when, by its clock, the first of what it owes otherwise is due. */
  waiting(workspace: number): { readonly busy: boolean; readonly due: number | undefined } {
    const each = [...this.#byReaction.values()].map((lanes) => lanes.waiting(workspace))
    const dues = each.flatMap(({ due }) => due ?? [])
    return { busy: each.some(({ busy }) => busy), due: dues.length === 0 ? undefined : Math.min(...dues) }
  }

  /** A lane has something to do, or may have. */
  offer(lane: Lane): void {
    const [reaction = ''] = lane.lane.split(':', 1)
    this.#byReaction.get(reaction)?.offer(lane)
  }

  /** Offers what has come to be due, and tries the gates that had no room. */
  wake(): void {
    for (const lanes of this.#byReaction.values()) lanes.wake()
  }

  /** The lanes whose turn it is, as far as there is room; each holds its place until it is released. */
  *next(): Generator<readonly [lanes: Lanes, lane: Lane]> {
    for (const lanes of this.#byReaction.values())
      for (let lane = lanes.next(); lane; lane = lanes.next()) yield [lanes, lane]
  }
}
