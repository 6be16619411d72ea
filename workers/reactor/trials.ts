import { setTimeout as sleep } from 'node:timers/promises'
import type { PendingTask } from '../../domain/kernel/ports/reactor-store.ts'
import type { AllLanes } from './all-lanes.ts'
import type { Lane } from './lanes.ts'
import type { UnderWay } from './under-way.ts'

/** How long a task is tried alone. One that takes longer has not ended the process. */
const ALONE_MS = 60_000

interface TrialDeps {
  readonly lanes: AllLanes
  readonly underWay: UnderWay
  /** Gives a lane its turn. */
  readonly run: (lane: Lane) => Promise<void>
  readonly isStopped: () => boolean
}

/** Tries tasks alone that may have ended the process. No other begins meanwhile. */
export class Trials {
  readonly #deps: TrialDeps
  #isOn = false

  constructor(deps: TrialDeps) {
    this.#deps = deps
  }

  get isOn(): boolean {
    return this.#isOn
  }

  /** Tries tasks of the reactor store one after the other. */
  async run(suspects: readonly PendingTask[]): Promise<void> {
    const { underWay } = this.#deps
    this.#isOn = true
    for (const row of suspects) await this.#tryAlone(row)
    underWay.tryAlone(undefined)
    this.#isOn = false
  }

  async #tryAlone(row: PendingTask): Promise<void> {
    const { lanes, underWay, run, isStopped } = this.#deps
    const lane = isStopped() ? undefined : lanes.owing(row)
    if (!lane?.lanes.take(lane)) return
    underWay.tryAlone(row)
    await Promise.race([run(lane), sleep(ALONE_MS, undefined, { ref: false })])
    if (lane.running) await underWay.end(lane, lane.running)
  }
}
