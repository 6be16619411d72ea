import { ask } from '../../domain/kernel/decide/ask.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { withIds } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { pass } from '../../domain/workflows/run/model.ts'
import { runs, type WantedPass } from '../../domain/workflows/run/rules.ts'
import { carryOut } from './command.ts'
import type { RunsDeps } from './runs-deps.ts'

/** Steps that are recorded together at most. */
const MOST = 16

/**
 * Steps that a run has passed, recorded together: what they do has keys of its own, so that it changes nothing where a kill comes before the record and they are
 * taken again. What is chosen must be recorded at once.
 */
export class Passes {
  readonly #deps: Pick<RunsDeps, 'engine' | 'ids' | 'now'>
  readonly #cause: RecordedEvent
  readonly #runId: number
  #pending: WantedPass[] = []
  /** Position of the newest event that the run has caused here. */
  written = -1

  constructor(deps: Pick<RunsDeps, 'engine' | 'ids' | 'now'>, cause: RecordedEvent, runId: number) {
    this.#deps = deps
    this.#cause = cause
    this.#runId = runId
  }

  get isFull(): boolean {
    return this.#pending.length >= MOST
  }

  /** Step that follows what is not recorded yet; `undefined` where all is recorded. */
  get next(): number | null | undefined {
    return this.#pending.at(-1)?.next_step_id
  }

  add(passed: WantedPass): void {
    this.#pending.push(passed)
  }

  /** Records all. @throws {Refusal} where the run is not there any more */
  async flush(): Promise<void> {
    const passes = this.#pending
    if (passes.length === 0) return
    const { ids } = this.#deps
    const minted = await withIds(ids, () => passes.map(() => ids.next(pass.name)))
    const asked = ask(runs, this.#runId, 'pass', { passes }, { ids: minted })
    const key = passes.map(({ step_id }) => `run:${this.#runId}:${step_id}:pass`)
    const result = await carryOut(this.#deps, this.#cause, asked, { key })
    if (result instanceof Refusal && result.kind !== 'notFound') throw result
    this.#pending = []
    if ('position' in result) this.written = Math.max(this.written, result.position)
  }
}
