/** Sees to it that what is sent without waiting for one another has come in the order in which it was sent. */
export class InOrder {
  readonly #sent: { position?: number }[] = []
  #last = -1

  /** Something is being sent. @returns what to tell its position in the log when it is known; throws when it overtook another */
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
