import { type Clock, Lanes } from './lanes.ts'
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

  get isUnderWay(): boolean {
    return [...this.#byReaction.values()].some(({ running }) => running > 0)
  }

  /** Whether something of a workspace is under way or could begin, and when, by its clock, the first of what it owes otherwise is due. */
  waiting(workspace: number): { readonly busy: boolean; readonly due: number | undefined } {
    const each = [...this.#byReaction.values()].map((lanes) => lanes.waiting(workspace))
    const dues = each.flatMap(({ due }) => due ?? [])
    return { busy: each.some(({ busy }) => busy), due: dues.length === 0 ? undefined : Math.min(...dues) }
  }

  each(): Iterable<Lanes> {
    return this.#byReaction.values()
  }
}
