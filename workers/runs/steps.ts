import { template } from '../../domain/emails/template/model.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import { readerOver } from '../../domain/kernel/decide/rules.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import { firstLine, withoutAddresses } from '../../domain/kernel/react/failure.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { mintFrom } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { streamOf } from '../../domain/kernel/values/stream-name.ts'
import type { Branch } from '../../domain/resources/tree/tree.ts'
import { nextStep } from '../../domain/resources/tree/walk.ts'
import type { StepResult, TemplateText } from '../../domain/workflows/run/effect.ts'
import { effectOf } from '../../domain/workflows/run/effects.ts'
import { runs } from '../../domain/workflows/run/rules.ts'
import { admittedAt, dueAt, zoneOfDelay } from '../../domain/workflows/workflow/delay.ts'
import { delayOf } from '../../domain/workflows/workflow/delay-settings.ts'
import { stateOf } from '../../domain/workflows/workflow/shown-steps.ts'
import { type FrozenStep, isSplitType } from '../../domain/workflows/workflow/tree.ts'
import { carryOut } from './command.ts'
import { cutChain, isAtEnd } from './loops.ts'
import type { Passes } from './passes.ts'
import { rendererFor } from './rendering.ts'
import type { RunsDeps } from './runs-deps.ts'
import { chooseBranch, zonesFor } from './splits.ts'
import type { Standing } from './standing.ts'

/** What became of a step, with the branch that was chosen; `moved`: the run is over. */
type Passed = StepResult & { readonly branch?: Branch; readonly moved?: true }

const openTemplate = recordOf(template)

const keyOf = ({ run, step }: Standing): string => `run:${run.id}:${step.id}`

/** Returns why a command of a step was refused. @throws {Refusal} that may pass */
const refusalOf = (refusal: Refusal): StepResult => {
  if (refusal.kind === 'unavailable' || refusal.kind === 'conflict') throw refusal
  return { outcome: 'failed', reason: withoutAddresses(firstLine(refusal.message)) }
}

/** Returns a function that reads a template as it was at a revision, which a version of a workflow has published. */
const templateAt =
  ({ history, resources }: RunsDeps) =>
  async (id: number, revision: number): Promise<TemplateText | undefined> => {
    const resource = resources.get(template.name)
    const upTo = { stream: streamOf({ name: template.name }, id), revision }
    const found = resource && (await history.document(resource, id, { at: '', upTo }))
    return found && openTemplate(found)
  }

/**
 * Carries out what a step does, once for each run and step.
 *
 * @returns what became of it, and whether its record may wait: one event is not written again, whatever has followed from it. A repeat of anything else could see what later
 * steps did, and do something else.
 */
const act = async (
  deps: RunsDeps,
  cause: RecordedEvent,
  standing: Standing,
  passes: Passes,
): Promise<{ readonly passed: Passed; readonly mayWait: boolean }> => {
  const { run, step } = standing
  const context = {
    run,
    settings: step.settings,
    read: readerOver(deps.live),
    mint: mintFrom(deps.ids),
    templateAt: templateAt(deps),
    render: rendererFor(deps, run),
  }
  const effect = await effectOf(step, context)
  if (!('asks' in effect)) return { passed: effect, mayWait: effect.endpoint_id === undefined }
  let mayWait = effect.atMostOneEvent === true
  for (const [index, one] of effect.asks.entries()) {
    const result = await carryOut(deps, cause, one, { key: `${keyOf(standing)}:${index}`, of: run.id })
    if (result instanceof Refusal) return { passed: refusalOf(result), mayWait: false }
    passes.written = Math.max(passes.written, result.position)
    mayWait &&= 'events' in result && result.events.length === 1
  }
  const { failure } = effect
  return { passed: failure === undefined ? { outcome: 'done' } : { outcome: 'failed', reason: failure }, mayWait }
}

/** Hands the contact over to another workflow. The run that begins there has this one's step as its cause, so that it begins once. */
const move = async (deps: RunsDeps, cause: RecordedEvent, standing: Standing): Promise<Passed> => {
  const { run, step } = standing
  const key = `${keyOf(standing)}:move`
  const workflow_id = Number(step.settings.workflow_id)
  if (await deps.log.claimed(key)) return { outcome: 'done', moved: true }
  if (isAtEnd(run)) {
    await cutChain(deps, cause, run, workflow_id)
    return { outcome: 'failed', reason: 'too many workflows led to each other', moved: true }
  }
  const wanted = {
    workflow_id,
    contact_id: run.contact_id,
    skip_communication: run.skip_communication,
    cause: { event_id: run.event_id, event_type_key: run.event_type_key, chain: run.chain, from_run_id: run.id },
  }
  const result = await carryOut(deps, cause, ask(runs, 'new', 'create', wanted), { key, of: run.id })
  return { ...(result instanceof Refusal ? refusalOf(result) : { outcome: 'done' }), moved: true }
}

/** Chooses a branch. A split of which none can be chosen is passed, and neither branch is taken. */
const choose = async (deps: RunsDeps, { run, step }: Standing, at: string): Promise<Passed> => {
  const choice = await chooseBranch(deps, step, run, at)
  return 'why' in choice ? { outcome: 'failed', reason: choice.why } : { outcome: 'done', branch: choice.branch }
}

/** Returns until when a run waits at a delay, and the end of the delay itself; `undefined`: it goes on. */
const waitAt = async (deps: RunsDeps, { run, step }: Standing, at: string) => {
  const delay = delayOf(step.settings)
  if (run.due_at !== null) {
    // The time that counts was settled when the delay was reached, whatever has become of the contact's zone.
    const until = admittedAt(delay, at, run.zone ?? 'UTC')
    return until > at ? { until, due: run.due_at, zone: run.zone ?? 'UTC' } : undefined
  }
  const { ofContact, ofWorkspace } = await zonesFor(deps, run.contact_id, run.workspace_id ?? 0)
  const zone = zoneOfDelay(delay, ofContact, ofWorkspace)
  const due = dueAt(delay, run.entered_at ?? at, zone)
  const until = due > at ? due : admittedAt(delay, at, zone)
  return until > at ? { until, due, zone } : undefined
}

/** Notes what became of a step, and the step behind it. */
export const notePass = (
  deps: RunsDeps,
  { run, step, steps }: Standing,
  { outcome, reason, branch, endpoint_id, moved }: Passed,
  passes: Passes,
): void =>
  passes.add({
    step_id: step.id,
    outcome,
    reason: reason ?? null,
    branch: branch ?? null,
    endpoint_id: endpoint_id ?? null,
    next_step_id: (moved ? undefined : nextStep<FrozenStep>(steps, step.id, branch))?.id ?? null,
    left_at: new Date(deps.now(run.workspace_id)).toISOString(),
  })

/** Waits at a delay. @returns whether it waits */
const delays = async (deps: RunsDeps, cause: RecordedEvent, standing: Standing, at: string): Promise<boolean> => {
  const { run, step } = standing
  const wait = await waitAt(deps, standing, at)
  if (!wait) return false
  const pause = ask(runs, run.id, 'pause', { step_id: step.id, ...wait })
  const result = await carryOut(deps, cause, pause, { key: `${keyOf(standing)}:${wait.until}` })
  if (result instanceof Refusal) throw result
  return true
}

/** Types of steps that do nothing but act, which are recorded together. */
const isAction = ({ type }: FrozenStep): boolean => !isSplitType(type) && type !== 'delay_step' && type !== 'move_step'

/** Whether what went before must be recorded before a step is taken. */
export const needsRecord = ({ step }: Standing, passes: Passes): boolean =>
  passes.next !== undefined && (passes.isFull || !isAction(step))

/**
 * Takes the step at which a run stands. Doing it again changes nothing: whatever it does has a key of the run and the step.
 *
 * @returns whether the run waits at a delay
 */
export const takeStep = async (
  deps: RunsDeps,
  cause: RecordedEvent,
  standing: Standing,
  passes: Passes,
): Promise<boolean> => {
  const { run, step } = standing
  const at = new Date(deps.now(run.workspace_id)).toISOString()
  const note = (passed: Passed) => notePass(deps, standing, passed, passes)
  if (stateOf(step.type, step.settings) !== 'active') note({ outcome: 'skipped', reason: 'the step is not set up' })
  else if (isAction(step)) {
    const { passed, mayWait } = await act(deps, cause, standing, passes)
    note(passed)
    if (!mayWait) await passes.flush()
  } else if (step.type === 'delay_step') {
    if (await delays(deps, cause, standing, at)) return true
    note({ outcome: 'done' })
  } else {
    note(isSplitType(step.type) ? await choose(deps, standing, at) : await move(deps, cause, standing))
    // A branch is chosen once, so that it is recorded before anything follows from it.
    await passes.flush()
  }
  return false
}
