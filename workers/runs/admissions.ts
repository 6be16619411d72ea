import type { Decider } from '../../domain/kernel/decide/decider.ts'
import { RecordsOfStream } from '../../domain/kernel/decide/stream-state.ts'
import { upcasterOf } from '../../domain/kernel/decide/upcast.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { trigger, workflow } from '../../domain/workflows/workflow/model.ts'
import { workflows } from '../../domain/workflows/workflow/rules.ts'

/** Whom a workflow lets in, from a position of the log on. */
export interface Admission {
  readonly id: number
  readonly workspaceId: number
  /** Position of the event that made it so. */
  readonly from: number
  /** Number of the enabling under which it lets people in, and its time. */
  readonly enabling: number
  readonly enabledAt: string
  /** Active triggers; none while the workflow is disabled. */
  readonly triggers: readonly RecordOf<typeof trigger>[]
}

/** Events of a workflow that change nothing about who enters. */
const IRRELEVANT: readonly string[] = [
  ...['WorkflowRenamed', 'WorkflowVersionPublished', 'WorkflowVersionsRetired', 'WorkflowChainCut'],
  ...['StepAdded', 'StepMoved', 'StepRemoved', 'StepRenamed', 'StepSettingsChanged'],
]

/** Returns whom a workflow lets in as it is from a position on. */
export const admissionOf = (
  record: RecordOf<typeof workflow>,
  triggers: readonly RecordOf<typeof trigger>[],
  from: number,
): Admission => ({
  ...{ id: record.id, workspaceId: record.workspace_id ?? 0, from },
  ...{ enabling: record.enabling, enabledAt: record.enabled_at ?? '' },
  triggers: record.enabled && !record.archived ? triggers.filter(({ active }) => active) : [],
})

/** Returns whom a workflow has let in since each of its changes, in their order. */
export const admissionsIn = async (events: AsyncIterable<RecordedEvent>): Promise<readonly Admission[]> => {
  const { fold, initial }: Decider = workflows
  const upcast = upcasterOf([workflows])
  const admissions: Admission[] = []
  let state = initial
  let unfolded: RecordedEvent[] = []
  for await (const recorded of events) {
    unfolded.push(upcast(recorded))
    if (IRRELEVANT.includes(recorded.type)) continue
    state = fold(state, unfolded)
    unfolded = []
    const records = new RecordsOfStream(state)
    const root = records.root(workflow)
    const last = admissions.at(-1)
    if (root) admissions.push(admissionOf(root, records.all(trigger), recorded.position))
    else if (last) admissions.push({ ...last, from: recorded.position, triggers: [] })
  }
  return admissions
}
