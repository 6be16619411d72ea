import { setMaxListeners } from 'node:events'
import type { EventStoreDBClient } from '@eventstore/db-client'
import { type Backoff, pause, pauseAfter } from './backoff.ts'
import type { Connection } from './connection.ts'
import { EventStoreUnavailable } from './errors.ts'
import { explained, failureOf, isConnectionLost, isNotLeader } from './failures.ts'
import { ServerHealth } from './server-health.ts'

export type Client = EventStoreDBClient

/** Longest wait of a new call for the end of an outage, in milliseconds. */
const BRIEF_MS = 2000

export interface CallerOptions {
  readonly backoff: Backoff
  /** Time for which a call is retried before it fails, in milliseconds. */
  readonly patienceMs: number
  /** Longest silence in one attempt, in milliseconds. */
  readonly attemptMs: number
  /** Disables retries, so that calls that are sent together keep their order. */
  readonly once: boolean
  /** Called when the server stops answering, and when it answers again. */
  readonly onWaiting: ((message: string) => void) | undefined
}

export type CallResult<T> =
  | { readonly ok: true; readonly value: T }
  /** `uncertain`: an attempt may have had its effect although no answer arrived. */
  | { readonly ok: false; readonly error: Error; readonly uncertain: boolean }

export interface AskOptions {
  /** Aborted when the answer is no longer needed. */
  readonly signal?: AbortSignal | undefined
  /** Start of the patience, in milliseconds since 1970; default: now. */
  readonly since?: number
  /** Default: that of the log. */
  readonly patienceMs?: number
}

/** Calls the server, and retries when connections fail. Only for calls that do no harm when they are carried out twice. */
export class Caller {
  readonly connection: Connection
  readonly health: ServerHealth
  readonly options: CallerOptions
  readonly #closing = new AbortController()

  constructor(connection: Connection, options: CallerOptions) {
    this.connection = connection
    this.options = options
    this.health = new ServerHealth({ connection, backoff: options.backoff, say: options.onWaiting }, this.signal)
    // Every call that waits for the end of an outage listens to this signal.
    setMaxListeners(0, this.signal)
  }

  /** Aborted when nothing is to be tried any more. */
  get signal(): AbortSignal {
    return this.#closing.signal
  }

  close(): void {
    this.#closing.abort()
  }

  async attempt<T>(
    call: (client: Client) => Promise<T>,
    { signal, since, patienceMs }: AskOptions = {},
  ): Promise<CallResult<T>> {
    const trouble = new RetryState(this, patienceMs, since)
    const unavailable = await trouble.awaitContact(signal)
    if (unavailable) return { ok: false, error: unavailable, uncertain: false }
    for (;;) {
      const { client } = this.connection
      try {
        return { ok: true, value: await call(client) }
      } catch (error) {
        const givenUp = await trouble.endure(error, client, signal)
        if (givenUp) return { ok: false, error: givenUp, uncertain: trouble.uncertain }
      }
    }
  }

  /** @throws {EventStoreUnavailable | EventStoreAccessDenied | EventStoreRefused} when the call is given up */
  async ask<T>(call: (client: Client) => Promise<T>, options?: AskOptions): Promise<T> {
    const result = await this.attempt(call, options)
    if (result.ok) return result.value
    throw result.error
  }
}

/** Tracks failures in a row, and how long they have lasted. */
export class RetryState {
  readonly #caller: Caller
  readonly #patienceMs: number
  #failures = 0
  #since: number
  /** Error of a node that is not the leader. It is reported in place of the failures that follow from it. */
  #notLeader: Error | undefined
  uncertain = false
  #last: Error | undefined

  /** @param patienceMs `Infinity`: retry until the log is closed */
  constructor(caller: Caller, patienceMs = caller.options.patienceMs, since = Date.now()) {
    this.#caller = caller
    this.#patienceMs = patienceMs
    this.#since = since
  }

  /** Notes that a call has worked again. */
  over(): void {
    this.#failures = 0
    this.#since = Date.now()
    this.#notLeader = undefined
  }

  /**
   * Waits before the next attempt. Returns the error to fail with when a retry would be pointless or the patience has ended.
   */
  async endure(error: unknown, client: Client, signal = this.#caller.signal): Promise<Error | undefined> {
    const { connection, options } = this.#caller
    const failure = failureOf(error)
    if (isNotLeader(error)) this.#notLeader = explained(error, connection.address)
    const explanation = this.#notLeader ?? explained(error, connection.address)
    if (failure === 'uncertain') this.uncertain = true
    if (isConnectionLost(error)) connection.renew(client)
    if (failure === 'final' || options.once || signal.aborted || Date.now() - this.#since >= this.#patienceMs)
      return explanation
    this.#caller.health.doubt()
    this.#last = explanation
    await pause(pauseAfter(this.#failures++, options.backoff), signal)
    return signal.aborted ? explanation : this.awaitContact(signal)
  }

  /**
   * Waits while the server is known not to answer: only briefly, unless an attempt may have had its effect or the patience is infinite. Returns
   * the error to fail with when the server still does not answer.
   */
  async awaitContact(signal = this.#caller.signal): Promise<Error | undefined> {
    const { health: contact, connection } = this.#caller
    const left = this.#patienceMs - (Date.now() - this.#since)
    const timeoutMs = this.uncertain || left === Number.POSITIVE_INFINITY ? left : Math.min(left, BRIEF_MS)
    if (await contact.regained(timeoutMs, signal)) return undefined
    return this.#last ?? new EventStoreUnavailable(`EventStoreDB cannot be reached at ${connection.address}`)
  }
}
