import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { trigger, workflow } from '../../domain/workflows/workflow/model.ts'
import { statusOf } from '../../domain/workflows/workflow/status.ts'
import type { RunsDeps } from './runs-deps.ts'

const STREAMS = `${workflow.name}-`
const PAGE = 1000

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
  readonly #deps: Pick<RunsDeps, 'live' | 'seen' | 'log'>
  readonly #byWorkspace = new Map<number, Map<number, LiveWorkflow>>()
  readonly #workspaceOf = new Map<number, number>()
  /** Workflows that have changed since they were read, with the position of the change. */
  readonly #changed = new Map<number, number>()
  readonly #enabled = new Map<number, number>()
  #isLoaded = false
  #reading: Promise<void> | undefined

  constructor(deps: Pick<RunsDeps, 'live' | 'seen' | 'log'>) {
    this.#deps = deps
  }

  in(workspaceId: number): Iterable<LiveWorkflow> {
    return this.#byWorkspace.get(workspaceId)?.values() ?? []
  }

  /** Whether a trigger of a workspace waits for one of these keys, or may do so. */
  mayAwait(workspaceId: number, keys: readonly string[]): boolean {
    if (keys.length === 0) return false
    if (!this.#isLoaded || this.#changed.size > 0) return true
    for (const { triggers } of this.in(workspaceId))
      if (triggers.some(({ event_type_key }) => keys.includes(event_type_key))) return true
    return false
  }

  /** Must be called with every event, in the order of the log. */
  watch({ stream, position, type }: RecordedEvent): void {
    if (!stream.startsWith(STREAMS)) return
    const { id } = parseStream(stream)
    if (type === workflow.event.WorkflowEnabled.type) this.#enabled.set(id, position)
    this.#changed.set(id, position)
  }

  /** Resolves when the triggers are at least as new as every event that was watched. @throws {Refusal} unavailable */
  async current(): Promise<void> {
    while (!this.#isLoaded || this.#changed.size > 0) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined
      })
      await this.#reading
    }
  }

  async #read(): Promise<void> {
    if (!this.#isLoaded) await this.#load()
    for (const [id, position] of this.#changed) {
      await this.#deps.seen({ position })
      const document = await this.#deps.live.get(workflow.name, id)
      await this.#put(id, document && recordOf(workflow)(document))
      if (this.#changed.get(id) === position) this.#changed.delete(id)
    }
  }

  async #load(): Promise<void> {
    const { live, log, seen } = this.#deps
    await seen({ position: await log.lastPosition() })
    for (let after = 0; !this.#isLoaded; ) {
      const page = await live.find(workflow.name, { where: {}, after, limit: PAGE })
      for (const one of page) await this.#put(Number(one.id), recordOf(workflow)(one))
      this.#isLoaded = page.length < PAGE
      after = Number(page.at(-1)?.id ?? after)
    }
  }

  async #put(id: number, record: RecordOf<typeof workflow> | undefined): Promise<void> {
    this.#drop(id)
    if (!record || statusOf(record) !== 'live') return
    const { workspace_id: workspaceId = 0, enabled_at } = record
    const triggers = await this.#deps.live.find(trigger.name, { where: { workflow_id: id } })
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
