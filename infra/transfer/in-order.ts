/** Checks that writes that do not wait for one another arrive in the order in which they were sent. */
export class InOrder {
  readonly #sent: { position?: number }[] = []
  #last = -1

  /** Registers a write. @returns a function to call with its position in the log; it throws when a write has overtaken another */
  next(): (position: number) => void {
    const slot: { position?: number } = {}
    this.#sent.push(slot)
    return (position) => {
      slot.position = position
      while (this.#sent[0]?.position !== undefined) this.#pass(this.#sent.shift()!.position!)
    }
  }

  #pass(position: number): void {
    if (position <= this.#last)
      throw new Error(`the log took an event to position ${position} after one at ${this.#last}`)
    this.#last = position
  }
}
