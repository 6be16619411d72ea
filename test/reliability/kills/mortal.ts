/** Stands for a process that dies at its nth step towards the outside, or when it is killed: nothing that it has asked for is answered from then on. */
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

  /** Resolves when all that it had asked for has come about or not: whoever begins after it meets nothing of it later. */
  async kill(): Promise<void> {
    this.#lastStep = -1
    this.#die()
    await Promise.allSettled(this.#underWay)
  }

  /** What it does through `one` are steps: before each of these calls, and after it. */
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
