import type { Branch } from '../../../domain/resources/tree/tree.ts'
import { variantFor } from '../../../domain/resources/tree/variant.ts'
import type { FrozenStep, FrozenTree } from '../../../domain/workflows/workflow/tree.ts'

/** Moment of the clock of a test: minutes since its beginning. */
export type Minute = number

/** What happens at a moment besides the run. */
export interface Happening {
  readonly minute: Minute
  readonly what: 'tag' | 'untag' | 'publish' | 'disable' | 'nothing'
  readonly tag: number
}

/** What a run must have done: the steps that it passed with their branches and times, the tags of the contact, and how it ended. */
export interface Told {
  readonly passed: readonly (readonly [step: number, branch: number | null, minute: Minute])[]
  readonly tags: readonly number[]
  readonly status: 'completed' | 'canceled'
}

const NOWHERE = Symbol('the run was canceled')

/** Goes through the structure of a workflow as a person would who reads it. */
export class Interpreter {
  readonly #happenings: readonly Happening[]
  readonly #runId: number
  readonly #tags = new Set<number>()
  readonly #passed: [number, number | null, Minute][] = []
  #minute: Minute = 0
  #next = 0

  constructor(runId: number, happenings: readonly Happening[]) {
    this.#runId = runId
    this.#happenings = happenings
  }

  tell(tree: FrozenTree): Told {
    let status: Told['status'] = 'completed'
    try {
      this.#follow(tree)
    } catch (error) {
      if (error !== NOWHERE) throw error
      status = 'canceled'
    }
    return { passed: this.#passed, tags: [...this.#tags].sort(), status }
  }

  #follow(tree: FrozenTree): void {
    for (const step of tree) {
      const branch = this.#take(step)
      this.#passed.push([step.id, branch, this.#minute])
      if (branch !== null && step.branches) this.#follow(step.branches[branch])
    }
  }

  #take({ id, type, settings }: FrozenStep): Branch | null {
    if (type === 'contact_tag_step') {
      const [tag] = settings.contacts_tag_ids as number[]
      if (settings.action === 'Add Tags') this.#tags.add(tag!)
      else this.#tags.delete(tag!)
    }
    if (type === 'delay_step') this.#wait(this.#minute + Number(settings.duration))
    if (type === 'split_test_step')
      return variantFor({ id, weights: settings.weights as unknown as readonly [number, number] }, String(this.#runId))
    if (type === 'conditional_split_step') return this.#tags.has(Number(settings.filter_id)) ? 0 : 1
    return null
  }

  /** Lets the clock tick until a delay is over. It goes on at the first tick behind its end. */
  #wait(until: Minute): void {
    while (this.#minute < until) {
      const tick = this.#happenings[this.#next++]
      if (!tick) throw new Error('the clock of the test stopped')
      this.#minute = tick.minute
      if (tick.what === 'tag') this.#tags.add(tick.tag)
      if (tick.what === 'untag') this.#tags.delete(tick.tag)
      if (tick.what === 'disable') throw NOWHERE
    }
  }
}
