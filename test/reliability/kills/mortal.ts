/** Simulates a process that dies at its nth step towards the outside, or when it is killed. From then on none of its calls returns. */
export class Mortal {
  #lastStep: number
  readonly #underWay = new Set<Promise<unknown>>()
  #die: () => void = () => undefined
  /** Resolves when it dies. */
  readonly death = new Promise<void>((resolve) => {
    this.#die = resolve
  })
  steps = 0

  constructor(lastStep = Number.POSITIVE_INFINITY) {
    this.#lastStep = lastStep
  }

  get isDead(): boolean {
    return this.steps > this.#lastStep
  }

  /** Kills it. Resolves when all of its calls have ended, so that they cannot affect a process that is started afterwards. */
  async kill(): Promise<void> {
    this.#lastStep = -1
    this.#die()
    await Promise.allSettled(this.#underWay)
  }

  /** Wraps an object, so that these calls count as steps: one before and one after each call. */
  of<T extends object>(one: T, names: readonly (keyof T)[]): T {
    return new Proxy(one, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        const call = value.bind(target)
        return names.includes(name as keyof T) ? this.#mortally(call) : call
      },
    })
  }

  #mortally(call: (...given: unknown[]) => unknown) {
    return async (...given: unknown[]) => {
      await this.#step()
      const calling = Promise.resolve(call(...given))
      this.#underWay.add(calling)
      const result = await calling.finally(() => this.#underWay.delete(calling))
      await this.#step()
      return result
    }
  }

  async #step(): Promise<void> {
    this.steps++
    if (!this.isDead) return
    this.#die()
    await new Promise(() => undefined)
  }
}
