import { getOrInsert } from '../../domain/kernel/values/get-or-insert.ts'

/** What waits, by workspace. Workspaces take turns: the one whose turn was last is at the end. */
export class Turns<T> {
  readonly #waiting = new Map<number, T[]>()

  add(workspaceId: number, one: T): void {
    getOrInsert(this.#waiting, workspaceId, () => [] as T[]).push(one)
  }

  /** Puts back what was taken too early. */
  putBack(workspaceId: number, some: readonly T[]): void {
    getOrInsert(this.#waiting, workspaceId, () => [] as T[]).unshift(...some)
  }

  /** Takes the first of the workspace whose turn it is, and others of it. @param count how many, of all that wait there */
  take(count: (all: readonly T[]) => number = () => 1): readonly T[] {
    for (const [workspaceId, all] of this.#waiting) {
      this.#waiting.delete(workspaceId)
      const taken = all.splice(0, count(all))
      if (all.length > 0) this.#waiting.set(workspaceId, all)
      return taken
    }
    return []
  }

  /** Takes all. */
  takeAll(): readonly T[] {
    const all = [...this.#waiting.values()].flat()
    this.#waiting.clear()
    return all
  }
}
