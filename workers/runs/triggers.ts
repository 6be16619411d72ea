import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { trigger, workflow } from '../../domain/workflows/workflow/model.ts'
import { statusOf } from '../../domain/workflows/workflow/status.ts'
import { FollowedRecords } from '../followed-records.ts'
import type { RunsDeps } from './runs-deps.ts'

/** Workflow that lets contacts in, with its active triggers. */
export interface LiveWorkflow {
  readonly id: number
  readonly workspaceId: number
  readonly enabledAt: string
  /** Position of its enabling, where this process has seen it. */
  readonly enabledPosition: number | undefined
  readonly triggers: readonly RecordOf<typeof trigger>[]
}

/** Returns whether something happened while a workflow was enabled. */
export const isSinceEnabled = (
  { enabledAt, enabledPosition }: Pick<LiveWorkflow, 'enabledAt' | 'enabledPosition'>,
  { position, metadata: { at } }: RecordedEvent,
): boolean => at >= enabledAt && (enabledPosition === undefined || position > enabledPosition)

/** Live workflows with their triggers, in memory. They follow the log, so that an event of a workspace without them costs a look-up. */
export class Triggers {
  readonly #live: RunsDeps['live']
  readonly #followed: FollowedRecords
  readonly #byWorkspace = new Map<number, Map<number, LiveWorkflow>>()
  readonly #workspaceOf = new Map<number, number>()
  readonly #enabled = new Map<number, number>()

  constructor(deps: Pick<RunsDeps, 'live' | 'seen' | 'log'>) {
    this.#live = deps.live
    this.#followed = new FollowedRecords(deps, workflow.name, {
      put: (id, document) => this.#put(id, document && recordOf(workflow)(document)),
    })
  }

  in(workspaceId: number): Iterable<LiveWorkflow> {
    return this.#byWorkspace.get(workspaceId)?.values() ?? []
  }

  /** Whether a trigger of a workspace waits for one of these keys, or may do so. */
  mayAwait(workspaceId: number, keys: readonly string[]): boolean {
    if (keys.length === 0) return false
    if (!this.#followed.isCurrent) return true
    for (const { triggers } of this.in(workspaceId))
      if (triggers.some(({ event_type_key }) => keys.includes(event_type_key))) return true
    return false
  }

  /** Must be called with every event, in the order of the log. */
  watch(event: RecordedEvent): void {
    const id = this.#followed.watch(event)
    if (id !== undefined && event.type === workflow.event.WorkflowEnabled.type) this.#enabled.set(id, event.position)
  }

  /** Resolves when the triggers are at least as new as every event that was watched. @throws {Refusal} unavailable */
  current(): Promise<void> {
    return this.#followed.current()
  }

  async #put(id: number, record: RecordOf<typeof workflow> | undefined): Promise<void> {
    this.#drop(id)
    if (!record || statusOf(record) !== 'live') return
    const { workspace_id: workspaceId = 0, enabled_at } = record
    const triggers = await this.#live.find(trigger.name, { where: { workflow_id: id } })
    const own = this.#byWorkspace.get(workspaceId) ?? new Map<number, LiveWorkflow>()
    this.#byWorkspace.set(workspaceId, own)
    this.#workspaceOf.set(id, workspaceId)
    own.set(id, {
      id,
      workspaceId,
      enabledAt: enabled_at ?? '',
      enabledPosition: this.#enabled.get(id),
      triggers: triggers.map(recordOf(trigger)).filter(({ active }) => active),
    })
  }

  #drop(id: number): void {
    const workspaceId = this.#workspaceOf.get(id) ?? 0
    this.#workspaceOf.delete(id)
    const own = this.#byWorkspace.get(workspaceId)
    own?.delete(id)
    if (own?.size === 0) this.#byWorkspace.delete(workspaceId)
  }
}
