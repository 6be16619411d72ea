import { recordOf } from '../../domain/kernel/model/fold.ts'
import { inStretches } from '../../domain/kernel/ports/read-on.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { getOrInsert } from '../../domain/kernel/values/get-or-insert.ts'
import { parseStream, streamOf } from '../../domain/kernel/values/stream-name.ts'
import { trigger, workflow } from '../../domain/workflows/workflow/model.ts'
import { type Admission, admissionOf, admissionsIn } from './admissions.ts'
import type { RunsDeps } from './runs-deps.ts'

const PAGE = 1000

/** Whom a workflow lets in, as far as this process has read it. */
interface Timeline {
  readonly admissions: readonly Admission[]
  /** Position after which it holds. */
  readonly since: number
  /** Position up to which the changes of the workflow are in it. */
  readonly upTo: number
}

const UNREAD: Timeline = { admissions: [], since: -1, upTo: -1 }

const admissionAt = ({ admissions }: Timeline, position: number): Admission | undefined =>
  admissions.findLast(({ from }) => from < position)

/**
 * Whom workflows let in at any position of the log, so that whether an event starts one does not depend on when it is looked at. What holds now is in memory and
 * follows the log, so that an event of a workspace without workflows costs a look-up. What held before is read from the log.
 */
export class Triggers {
  readonly #deps: Pick<RunsDeps, 'live' | 'seen' | 'log'>
  readonly #byWorkspace = new Map<number, Map<number, Timeline>>()
  /** Position of the newest change of workflows that was watched. */
  readonly #changed = new Map<number, number>()
  readonly #reading = new Map<number, Promise<void>>()
  /** Position of the log at which all workflows were read. */
  #loadedAt: number | undefined
  #loading: Promise<void> | undefined

  constructor(deps: Pick<RunsDeps, 'live' | 'seen' | 'log'>) {
    this.#deps = deps
  }

  /** Must be called with every event, in the order of the log. */
  watch({ type, stream, position, metadata: { workspace_id = 0 } }: RecordedEvent): void {
    if (!stream.startsWith(`${workflow.name}-`)) return
    const { id } = parseStream(stream)
    const own = getOrInsert(this.#byWorkspace, workspace_id, () => new Map())
    if (type === workflow.event.WorkflowRemoved.type) {
      own.delete(id)
      this.#changed.delete(id)
      return
    }
    getOrInsert(own, id, () => UNREAD)
    this.#changed.set(id, position)
  }

  /** Whether a trigger of a workspace waited for one of these keys at a position that was watched, or may have done so. */
  mayAwait(workspaceId: number, keys: readonly string[], position: number): boolean {
    if (keys.length === 0) return false
    if (this.#loadedAt === undefined) return true
    const own = this.#byWorkspace.get(workspaceId)
    if (!own) return false
    if (position <= this.#loadedAt) return own.size > 0
    for (const [id, timeline] of own) {
      if (this.#isBehind(id, timeline)) return true
      const triggers = admissionAt(timeline, position)?.triggers
      if (triggers?.some(({ event_type_key }) => keys.includes(event_type_key))) return true
    }
    return false
  }

  /** Returns whom the workflows of a workspace let in at a position that was watched, without those that let in nobody. @throws {Refusal} unavailable */
  async at(workspaceId: number, position: number): Promise<readonly Admission[]> {
    await this.#loaded()
    const own = this.#byWorkspace.get(workspaceId) ?? new Map<number, Timeline>()
    const found: Admission[] = []
    for (const id of [...own.keys()]) {
      for (let timeline = own.get(id); timeline; timeline = own.get(id)) {
        if (position > timeline.since && !this.#isBehind(id, timeline)) {
          const admission = admissionAt(timeline, position)
          if (admission && admission.triggers.length > 0) found.push(admission)
          break
        }
        await this.#read(own, id)
      }
    }
    return found
  }

  #isBehind(id: number, { upTo }: Timeline): boolean {
    return (this.#changed.get(id) ?? -1) > upTo
  }

  /** Reads all changes of a workflow from the log. */
  #read(own: Map<number, Timeline>, id: number): Promise<void> {
    const { log } = this.#deps
    const read = async () => {
      const upTo = await log.lastPosition()
      const admissions = await admissionsIn(log.readStream(streamOf(workflow, id)))
      if (own.has(id)) own.set(id, { admissions, since: -1, upTo })
    }
    return getOrInsert(this.#reading, id, () => read().finally(() => this.#reading.delete(id)))
  }

  async #loaded(): Promise<void> {
    if (this.#loadedAt !== undefined) return
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined
    })
    await this.#loading
  }

  async #load(): Promise<void> {
    const { live, log, seen } = this.#deps
    const upTo = await log.lastPosition()
    await seen({ position: upTo })
    for await (const page of inStretches((next) => live.find(workflow.name, next), { where: {}, limit: PAGE }))
      for (const document of page) {
        const record = recordOf(workflow)(document)
        const triggers = record.enabled ? await live.find(trigger.name, { where: { workflow_id: record.id } }) : []
        const own = getOrInsert(this.#byWorkspace, record.workspace_id ?? 0, () => new Map())
        own.set(record.id, {
          ...{ since: upTo, upTo },
          admissions: [admissionOf(record, triggers.map(recordOf(trigger)), -1)],
        })
      }
    this.#loadedAt = upTo
  }
}
