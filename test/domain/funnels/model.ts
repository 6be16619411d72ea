/** A minimal model of a funnel: sequences of pages and splits. The property test compares the domain with it. */
export type Step = PageStep | SplitStep
export interface PageStep {
  readonly kind: 'page'
  page: number
  readonly step: number
  readonly shown: number
}
export interface SplitStep {
  readonly kind: 'test' | 'conditional'
  readonly id: number
  readonly branches: [Step[], Step[]]
  weights: [number, number]
}

export class Model {
  readonly trunk: Step[] = []

  /** Every sequence of the funnel, the trunk first. */
  sequences(steps: Step[] = this.trunk): Step[][] {
    const inner = steps.flatMap((step) =>
      step.kind === 'page' ? [] : step.branches.flatMap((branch) => this.sequences(branch)),
    )
    return [steps, ...inner]
  }

  pages(): PageStep[] {
    return this.sequences().flatMap((steps) => steps.filter((step) => step.kind === 'page'))
  }

  splits(): SplitStep[] {
    return this.sequences().flatMap((steps) => steps.filter((step) => step.kind !== 'page'))
  }

  /** The sequence that contains a step, and its index. */
  whereIs(wanted: Step): { readonly steps: Step[]; readonly index: number } {
    const steps = this.sequences().find((sequence) => sequence.includes(wanted))!
    return { steps, index: steps.indexOf(wanted) }
  }

  remove(step: Step): void {
    const { steps, index } = this.whereIs(step)
    steps.splice(index, 1)
  }

  insertSplit(split: SplitStep, anchor: PageStep | undefined): void {
    if (!anchor) {
      this.trunk.unshift(split)
      return
    }
    const { steps, index } = this.whereIs(anchor)
    steps.splice(index + 1, 0, split)
  }

  collapse(split: SplitStep, drop: 0 | 1 | 'both'): void {
    const { steps, index } = this.whereIs(split)
    const kept = drop === 'both' ? [] : split.branches[drop === 0 ? 1 : 0]
    steps.splice(index, 1, ...kept)
  }

  /** The fields of the structure endpoint that the model knows. */
  structure(steps: Step[] = this.trunk, after: number | null = null): unknown[] {
    let order = 0
    return steps.map((step, index) => {
      const following = steps[index + 1]
      const next = following ? (following.kind === 'page' ? following.step : following.id) : after
      const sort_order = order
      if (step.kind === 'page') {
        order++
        return { id: step.step, step_type: 'show_page_step', sort_order, shown: step.shown, page: step.page }
      }
      order = 0
      const sides = step.branches.map((branch) => this.structure(branch, next))
      return step.kind === 'test'
        ? { id: step.id, step_type: 'split_test_step', sort_order, next, weights: step.weights, sides }
        : { id: step.id, step_type: 'conditional_split_step', sort_order, next, sides }
    })
  }
}
