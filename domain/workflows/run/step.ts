import { contact } from '../../contacts/contact/model.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import type { Branch } from '../../resources/tree/tree.ts'
import {
  type Commands,
  failed,
  type StepDeps,
  type StepResult,
  type StepRun,
  skipped,
  type Wait,
} from '../steps/effect.ts'
import { stepTypeOf } from '../steps/index.ts'
import { stateOf } from '../workflow/shown-steps.ts'
import type { FrozenStep } from '../workflow/tree.ts'
import { referredBy } from './referred.ts'
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

/** Tells whether a step does nothing but act. */
export const isAction = ({ type }: FrozenStep): boolean => {
  const { does } = stepTypeOf(type)
  return does === undefined || does.kind === 'acts'
}

/** Tells what a step of a run comes to, without doing it. A run carries it out; a rehearsal does not. */
export const verdictOn = async (deps: StepDeps, run: StepRun, step: FrozenStep, at: string): Promise<Verdict> => {
  const { type, settings } = step
  const { does, isCommunication } = stepTypeOf(type)
  if (stateOf(type, settings) !== 'active') return { passed: skipped('the step is not set up') }
  if (isCommunication && run.skip_communication) return { passed: skipped('the run skips communication') }
  if (does === undefined) return { passed: skipped('nothing here can carry out steps of this type') }
  if (does.kind === 'splits') {
    const choice = await does.choose(deps, step, run, at)
    return { passed: 'why' in choice ? failed(choice.why) : { outcome: 'done', branch: choice.branch } }
  }
  if (does.kind === 'waits') {
    const wait = await does.until(deps.documents, settings, run, at)
    return wait ? { wait } : { passed: { outcome: 'done' } }
  }
  if (does.kind === 'moves') return { movesTo: does.target(settings) }
  const read = readerOver(deps.documents)
  if (!(await read.one(contact, run.contact_id))) return { passed: failed('the contact is gone') }
  const referred = await referredBy(step, run.workspace_id ?? 0, read)
  if ('gone' in referred) return { passed: failed(referred.gone) }
  const effect = await does.effect({ ...deps, run, step, settings, read, referred, render: rendererFor(deps, run, at) })
  return 'asks' in effect ? { commands: effect } : { passed: effect }
}
