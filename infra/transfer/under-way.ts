/** Limits the number of tasks under way at once. The first failure ends the work. */
export class TaskLimiter {
  readonly #most: number
  #count = 0
  #failed: { readonly error: unknown } | undefined
  #onSettled: () => void = () => undefined

  constructor(most: number) {
    this.#most = most
  }

  /** Adds a task. Resolves when there is room for another. @throws the error of a task that has failed */
  async add(work: Promise<void>): Promise<void> {
    this.#count++
    work
      .catch((error: unknown) => {
        this.#failed ??= { error }
      })
      .finally(() => {
        this.#count--
        this.#onSettled()
      })
    await this.#until(() => this.#count < this.#most)
  }

  /** Resolves when all tasks are done. @throws the error of a task that has failed */
  done(): Promise<void> {
    return this.#until(() => this.#count === 0)
  }

  async #until(enough: () => boolean): Promise<void> {
    while (!enough() && !this.#failed) {
      await new Promise<void>((resolve) => {
        this.#onSettled = resolve
      })
    }
    if (this.#failed) throw this.#failed.error
  }
}
