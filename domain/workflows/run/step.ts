import { readerOver } from '../../kernel/decide/rules.ts'
import type { Branch } from '../../resources/tree/tree.ts'
import { stateOf } from '../workflow/shown-steps.ts'
import { type FrozenStep, isSplitType } from '../workflow/tree.ts'
import { chooseBranch, type Wait, waitAt } from './choices.ts'
import type { Commands, StepDeps, StepResult, StepRun } from './effect.ts'
import { effectOf } from './effects.ts'
import { rendererFor } from './rendering.ts'

/** What became of a step, with the branch that was chosen. */
export type Passed = StepResult & { readonly branch?: Branch }

/** What a step comes to, before anything of it is carried out. */
export type Verdict =
  /** Nothing is to be done: it is passed. */
  | { readonly passed: Passed }
  /** These commands are its effect. */
  | { readonly commands: Commands }
  | { readonly wait: Wait }
  /** The contact moves to another workflow. */
  | { readonly movesTo: number }

/** Types of steps that do nothing but act. */
export const isAction = ({ type }: FrozenStep): boolean =>
  !isSplitType(type) && type !== 'delay_step' && type !== 'move_step'

/** Tells what a step of a run comes to, without doing it. A run carries it out; a rehearsal does not. */
export const verdictOn = async (deps: StepDeps, run: StepRun, step: FrozenStep, at: string): Promise<Verdict> => {
  const { type, settings } = step
  if (stateOf(type, settings) !== 'active') return { passed: { outcome: 'skipped', reason: 'the step is not set up' } }
  if (isSplitType(type)) {
    const choice = await chooseBranch(deps, step, run, at)
    return {
      passed: 'why' in choice ? { outcome: 'failed', reason: choice.why } : { outcome: 'done', branch: choice.branch },
    }
  }
  if (type === 'delay_step') {
    const wait = await waitAt(deps.documents, step, run, at)
    return wait ? { wait } : { passed: { outcome: 'done' } }
  }
  if (type === 'move_step') return { movesTo: Number(settings.workflow_id) }
  const read = readerOver(deps.documents)
  const effect = await effectOf(step, { ...deps, run, settings, read, render: rendererFor(deps, run, at) })
  return 'asks' in effect ? { commands: effect } : { passed: effect }
}
