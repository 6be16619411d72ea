/** Work of which so much may be under way at once; the first failure ends it. */
export class UnderWay {
  readonly #most: number
  #count = 0
  #failed: { readonly error: unknown } | undefined
  #onSettled: () => void = () => undefined

  constructor(most: number) {
    this.#most = most
  }

  /** Resolves when there is room for more. @throws what something before has failed with */
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

  /** Resolves when everything is done. @throws what something has failed with */
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
