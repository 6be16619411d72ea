import { BACKWARDS, END } from '@eventstore/db-client'
import { type Backoff, pause, pauseAfter } from './backoff.ts'
import type { Connection } from './connection.ts'
import { explained, failureOf, isConnectionLost, isNotLeader } from './failures.ts'
import { drained } from './wire/pull.ts'

const ANSWER_MS = 1000
/** Longest wait for the answer of a server that is not in doubt. It may be busy for a moment. */
const PROBE_MS = 2000
const LONGEST_PAUSE_MS = 500

interface ServerHealthDeps {
  readonly connection: Connection
  readonly backoff: Backoff
  /** Called when the server stops answering, and when it answers again. */
  readonly say: ((message: string) => void) | undefined
}

/** Tracks whether the server answers. While it does not, a single probe asks it, and all callers wait for the result. */
export class ServerHealth {
  readonly #deps: ServerHealthDeps
  readonly #closing: AbortSignal
  #regaining: Promise<void> | undefined
  #lostSince: number | undefined

  /** @param closing aborted when the log is closed */
  constructor(deps: ServerHealthDeps, closing: AbortSignal) {
    this.#deps = deps
    this.#closing = closing
  }

  /** Time since which the server has not answered, in milliseconds since 1970; `undefined` while it answers. */
  get lostSince(): number | undefined {
    return this.#lostSince
  }

  /** Asks the server once, unless it is in doubt already. A connection may look alive for long although nothing comes over it. */
  async probe(): Promise<void> {
    if (this.#regaining) return
    const problem = await this.#problem(PROBE_MS)
    if (problem !== undefined) this.doubt(problem)
  }

  /** Starts probing, because something has failed on the way to the server or back. @param known what is known to be wrong */
  doubt(known?: string): void {
    this.#regaining ??= this.#regain(known).finally(() => {
      this.#regaining = undefined
      this.#lostSince = undefined
    })
  }

  /** Waits while the server does not answer, at most for this time. @returns whether it answers */
  async regained(withinMs: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#regaining) return true
    const waiting = new AbortController()
    const over = AbortSignal.any([signal, waiting.signal])
    const back = this.#regaining.then(() => true)
    const late = pause(withinMs, over).then(() => false)
    return Promise.race([back, late]).finally(() => waiting.abort())
  }

  async #regain(known?: string): Promise<void> {
    const { say, backoff, connection } = this.#deps
    for (let failures = 0; !this.#closing.aborted; failures++) {
      const problem = (failures === 0 ? known : undefined) ?? (await this.#problem(ANSWER_MS))
      if (problem === undefined) break
      if (failures === 0) {
        this.#lostSince = Date.now()
        say?.(`${problem}; trying again`)
      }
      await pause(Math.min(pauseAfter(failures, backoff), LONGEST_PAUSE_MS), this.#closing)
    }
    if (this.#lostSince !== undefined && !this.#closing.aborted) {
      const seconds = ((Date.now() - this.#lostSince) / 1000).toFixed(1)
      say?.(`EventStoreDB at ${connection.address} answers again, after ${seconds} s`)
    }
  }

  async #problem(withinMs: number): Promise<string | undefined> {
    const { connection } = this.#deps
    const { client } = connection
    try {
      const last = { direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader: true } as const
      for await (const _ of drained(client.readAll(last), withinMs)) break
      return undefined
    } catch (error) {
      if (isConnectionLost(error)) connection.renew(client)
      // A refusal is an answer too.
      return failureOf(error) === 'final' && !isNotLeader(error)
        ? undefined
        : explained(error, connection.address).message
    }
  }
}
