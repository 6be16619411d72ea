import type { Counters } from '../../domain/kernel/ports/counters.ts'
import type { NumbersTaken } from '../../domain/kernel/values/sequence-numbers.ts'

/** Takes numbers for appends. Numbers that were given back are used first, so that only a crash leaves a gap. */
export class NumberPool {
  readonly #counters: Counters
  readonly #returned = new Map<string, number[]>()

  constructor(counters: Counters) {
    this.#counters = counters
  }

  async take(counters: readonly string[]): Promise<NumbersTaken> {
    const taken: Record<string, number> = {}
    for (const counter of counters) {
      taken[counter] = this.#returned.get(counter)?.shift() ?? (await this.#counters.take(counter, 1))
    }
    return taken
  }

  giveBack(numbers: NumbersTaken): void {
    for (const [counter, number] of Object.entries(numbers)) {
      const returned = [...(this.#returned.get(counter) ?? []), number].sort((a, b) => a - b)
      this.#returned.set(counter, returned)
    }
  }
}
