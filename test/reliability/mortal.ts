/** Stands for a process that dies at its nth step towards the outside: nothing that it has asked for is answered from then on. */
export class Mortal {
  readonly #lastStep: number
  #die: () => void = () => undefined
  /** Resolves when it dies. */
  readonly death = new Promise<void>((resolve) => {
    this.#die = resolve
  })
  steps = 0

  constructor(lastStep: number) {
    this.#lastStep = lastStep
  }

  get isDead(): boolean {
    return this.steps > this.#lastStep
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
      const result = await call(...given)
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
