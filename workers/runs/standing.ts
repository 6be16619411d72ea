import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import { locateNode } from '../../domain/resources/tree/tree.ts'
import { run } from '../../domain/workflows/run/model.ts'
import { runs } from '../../domain/workflows/run/rules.ts'
import { version, workflow } from '../../domain/workflows/workflow/model.ts'
import { workflows } from '../../domain/workflows/workflow/rules.ts'
import type { FrozenStep, FrozenTree } from '../../domain/workflows/workflow/tree.ts'
import type { RunsDeps } from './runs-deps.ts'

/** Run at a step of its version. */
export interface Standing {
  readonly run: RecordOf<typeof run>
  readonly steps: FrozenTree
  readonly step: FrozenStep
}

/** Where a run stands: at a step, at none, or in a workflow that it must not go on in. */
export type Found = Standing | 'nowhere' | { readonly run: RecordOf<typeof run>; readonly over: string }

/** Returns a version that was retired while the run was just beginning on it. */
const retired = async ({ history, resources }: Pick<RunsDeps, 'history' | 'resources'>, id: number) => {
  const resource = resources.get(version.name)
  const last = resource && (await history.lastOf(resource, id))
  return last && recordOf(version)(last)
}

/**
 * Finds the step at which a run stands, as the log has it now. Called before each step, so that none is taken once the workflow is disabled.
 *
 * @param next the step that follows what it has done and not recorded; `undefined` where all is recorded
 */
export const findStanding = async (
  deps: Pick<RunsDeps, 'engine' | 'history' | 'resources'>,
  runId: number,
  revision: number,
  next: number | null | undefined,
): Promise<Found> => {
  const { engine } = deps
  const current = (await engine.records(runs, runId, revision)).root(run)
  const stepId = next === undefined ? current?.current_step_id : next
  if (current?.status !== 'active' || stepId === null || stepId === undefined) return 'nowhere'
  const records = await engine.records(workflows, current.workflow_id, -1)
  const owner = records.root(workflow)
  const published = records.one(version, current.version_id) ?? (await retired(deps, current.version_id))
  if (!owner || !published) return { run: current, over: 'the workflow is gone' }
  if (!owner.enabled || owner.enabling !== current.enabling) return { run: current, over: 'the workflow was disabled' }
  const step = locateNode<FrozenStep>(published.steps, stepId)?.node
  return step ? { run: current, steps: published.steps, step } : { run: current, over: 'the step is gone' }
}
