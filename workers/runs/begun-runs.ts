import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { idIn } from '../../domain/kernel/values/ids.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { run } from '../../domain/workflows/run/model.ts'
import { activeKey } from '../../domain/workflows/run/rules.ts'

/** Runs that are remembered, before those are forgotten that the documents show. */
const MOST = 10_000

interface Begun {
  readonly id: number
  readonly position: number
}

/** Dependencies of the runs that have begun lately. */
interface BegunDeps {
  readonly log: Pick<EventLog, 'lastPosition' | 'readAll'>
  /** Waits until the documents are at least as new as a position. @throws {Refusal} unavailable */
  readonly seen: (at: { readonly position: number }) => Promise<void>
}

/**
 * Runs that have begun lately, by workflow and contact: all that the documents may not show yet. It follows the log, so that who asks for the runs of a contact
 * waits for no documents.
 */
export class BegunRuns {
  readonly #deps: BegunDeps
  readonly #byKey = new Map<string, readonly Begun[]>()
  #count = 0
  /** Position up to which all is noted that the documents may not show. */
  #upTo = -1
  /** Whether the documents show what had begun before the first event that was watched. */
  #isLoaded = false
  #reading: Promise<void> = Promise.resolve()
  /** The next read, which begins when the one under way has ended. */
  #next: Promise<void> | undefined

  constructor(deps: BegunDeps) {
    this.#deps = deps
  }

  /** Must be called with every event, in the order of the log. */
  watch({ type, stream, position, data }: RecordedEvent): void {
    if (position <= this.#upTo) return
    this.#upTo = position
    const [workflowId, contactId] = [idIn(data.workflow_id), idIn(data.contact_id)]
    if (type !== run.event.RunStarted.type || workflowId === null || contactId === null) return
    const key = activeKey(workflowId, contactId)
    this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), { id: parseStream(stream).id, position }])
    this.#count++
  }

  /**
   * Returns the ids of runs of a workflow with a contact. With those in the documents that are read afterwards, they are all that had begun when this was called.
   *
   * @throws {Refusal} unavailable
   */
  async of(workflowId: number, contactId: number): Promise<readonly number[]> {
    await this.#caughtUp()
    return (this.#byKey.get(activeKey(workflowId, contactId)) ?? []).map(({ id }) => id)
  }

  /** Resolves when all is noted that was in the log when this was called. Callers share reads. */
  #caughtUp(): Promise<void> {
    this.#next ??= this.#reading
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined
        this.#reading = this.#read()
        return this.#reading
      })
    return this.#next
  }

  async #read(): Promise<void> {
    const { log, seen } = this.#deps
    if (!this.#isLoaded) {
      const position = await log.lastPosition()
      await seen({ position })
      this.#upTo = Math.max(this.#upTo, position)
      this.#isLoaded = true
    }
    for await (const event of log.readAll({ after: this.#upTo })) this.watch(event)
    if (this.#count > MOST) await this.#forget()
  }

  /** Forgets the runs that the documents show. */
  async #forget(): Promise<void> {
    const position = this.#upTo
    await this.#deps.seen({ position })
    this.#count = 0
    for (const [key, begun] of this.#byKey) {
      const left = begun.filter((one) => one.position > position)
      if (left.length > 0) this.#byKey.set(key, left)
      else this.#byKey.delete(key)
      this.#count += left.length
    }
  }
}
