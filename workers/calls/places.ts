/** Calls at one port that are under way at once, whoever makes them: one that hangs must not fill the room of the whole reactor. */
const MOST = 16

/** Places at ports. */
export class Places {
  readonly #taken = new Map<string, number>()

  /** Does something at a port, if there is a place. @returns `undefined`: there is none */
  async at<T>(port: string, work: () => Promise<T>): Promise<T | undefined> {
    const taken = this.#taken.get(port) ?? 0
    if (taken === MOST) return undefined
    this.#taken.set(port, taken + 1)
    try {
      return await work()
    } finally {
      this.#taken.set(port, this.#taken.get(port)! - 1)
    }
  }
}
