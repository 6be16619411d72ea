import { template } from '../../domain/emails/template/model.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import { beside } from '../../domain/kernel/decide/bound-reader.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import { firstLine, withoutAddresses } from '../../domain/kernel/react/failure.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { mintFrom } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { streamOf } from '../../domain/kernel/values/stream-name.ts'
import { nextStep } from '../../domain/resources/tree/walk.ts'
import { originOf, runs } from '../../domain/workflows/run/rules.ts'
import { isAction, type Passed as PassedStep, verdictOn } from '../../domain/workflows/run/step.ts'
import type { Commands, StepResult, TemplateText, Wait } from '../../domain/workflows/steps/effect.ts'
import { isSplitType } from '../../domain/workflows/steps/index.ts'
import type { FrozenStep } from '../../domain/workflows/workflow/tree.ts'
import { carryOut } from './command.ts'
import { formerRuns } from './former-runs.ts'
import { cutChain, isAtEnd, isTooBroad } from './loops.ts'
import type { Passes } from './passes.ts'
import type { RunsDeps } from './runs-deps.ts'
import type { Standing } from './standing.ts'

/** What became of a step; `moved`: the run is over. */
type Passed = PassedStep & { readonly moved?: true }

const openTemplate = recordOf(template)

const keyOf = ({ run, step }: Pick<Standing, 'run' | 'step'>): string => `run:${run.id}:${step.id}`

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
 * Carries out the commands of a step, once for each run and step.
 *
 * @returns what became of it, and whether its record may wait: one event is not written again, whatever has followed from it. A repeat of anything else could see what later
 * steps did, and do something else.
 */
const carryOutAll = async (
  deps: RunsDeps,
  cause: RecordedEvent,
  standing: Standing,
  { asks, atMostOneEvent, failure, membership_id }: Commands,
  passes: Passes,
): Promise<{ readonly passed: Passed; readonly mayWait: boolean }> => {
  let mayWait = atMostOneEvent === true
  for (const [index, one] of asks.entries()) {
    const result = await carryOut(deps, cause, one, { key: `${keyOf(standing)}:${index}`, of: standing.run.id })
    if (result instanceof Refusal) return { passed: refusalOf(result), mayWait: false }
    passes.written = Math.max(passes.written, result.position)
    mayWait &&= 'events' in result && result.events.length === 1
  }
  const turn = membership_id === undefined ? {} : { membership_id }
  return {
    passed: failure === undefined ? { outcome: 'done', ...turn } : { outcome: 'failed', reason: failure, ...turn },
    mayWait,
  }
}

/** Hands the contact over to another workflow. The run that begins there has this one's step as its cause, so that it begins once. */
const move = async (deps: RunsDeps, cause: RecordedEvent, standing: Standing, workflow_id: number): Promise<Passed> => {
  const { run } = standing
  const key = `${keyOf(standing)}:move`
  if (await deps.log.claimed(key)) return { outcome: 'done', moved: true }
  const former = await formerRuns(deps, workflow_id, run.contact_id)
  if (isAtEnd(run) || isTooBroad(run, former)) {
    await cutChain(deps, cause, run, workflow_id)
    return { outcome: 'failed', reason: 'too many workflows led to each other', moved: true }
  }
  const wanted = {
    workflow_id,
    contact_id: run.contact_id,
    skip_communication: run.skip_communication,
    cause: {
      ...{ event_id: run.event_id, event_type_key: run.event_type_key },
      ...{ chain: run.chain, from_run_id: run.id, origin: originOf(run) },
    },
  }
  const result = await carryOut(deps, cause, ask(runs, 'new', 'create', wanted), { key, of: run.id })
  return { ...(result instanceof Refusal ? refusalOf(result) : { outcome: 'done' }), moved: true }
}

/** Notes what became of a step, and the step behind it. */
export const notePass = (
  deps: RunsDeps,
  { run, step, steps }: Standing,
  { outcome, reason, branch, endpoint_id, membership_id, moved }: Passed,
  passes: Passes,
): void =>
  passes.add({
    step_id: step.id,
    outcome,
    reason: reason ?? null,
    branch: branch ?? null,
    endpoint_id: endpoint_id ?? null,
    membership_id: membership_id ?? null,
    next_step_id: (moved ? undefined : nextStep<FrozenStep>(steps, step.id, branch))?.id ?? null,
    left_at: new Date(deps.now(run.workspace_id)).toISOString(),
  })

/** Waits at a delay. */
const pause = async (deps: RunsDeps, cause: RecordedEvent, { run, step }: Standing, wait: Wait): Promise<void> => {
  const asked = ask(runs, run.id, 'pause', { step_id: step.id, ...wait })
  const result = await carryOut(deps, cause, asked, { key: `${keyOf({ run, step })}:${wait.until}` })
  if (result instanceof Refusal) throw result
}

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
  const stepDeps = {
    ...{ documents: beside(deps.live, run), vault: deps.vault, mint: mintFrom(deps.ids), texts: deps.texts },
    templateAt: templateAt(deps),
  }
  const verdict = await verdictOn(stepDeps, run, step, at)
  if ('wait' in verdict) {
    await pause(deps, cause, standing, verdict.wait)
    return true
  }
  const { passed, mayWait } =
    'commands' in verdict
      ? await carryOutAll(deps, cause, standing, verdict.commands, passes)
      : 'movesTo' in verdict
        ? { passed: await move(deps, cause, standing, verdict.movesTo), mayWait: false }
        : // A branch is chosen once, so that it is recorded before anything follows from it.
          { ...verdict, mayWait: !isSplitType(step.type) && verdict.passed.endpoint_id === undefined }
  notePass(deps, standing, passed, passes)
  if (!mayWait) await passes.flush()
  return false
}
