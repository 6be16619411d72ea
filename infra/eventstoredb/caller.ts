import { setMaxListeners } from 'node:events'
import type { EventStoreDBClient } from '@eventstore/db-client'
import { type Backoff, pause, pauseAfter } from './backoff.ts'
import type { Connection } from './connection.ts'
import { EventStoreUnavailable } from './errors.ts'
import { explained, failureOf, isConnectionLost, isNotLeader } from './failures.ts'
import { ServerHealth } from './server-health.ts'

export type Client = EventStoreDBClient

/** How long something that is asked for in an outage waits for its end. */
const BRIEF_MS = 2000

export interface CallerOptions {
  readonly backoff: Backoff
  /** How long something is tried again before it is given up, in milliseconds. */
  readonly patienceMs: number
  /** Longest silence in one attempt, in milliseconds. */
  readonly attemptMs: number
  /** Nothing is tried again: what is sent together then stays in its order. */
  readonly once: boolean
  /** Told when the server does not answer, and when it does again. */
  readonly onWaiting: ((message: string) => void) | undefined
}

export type Asked<T> =
  | { readonly ok: true; readonly value: T }
  /** `uncertain`: an attempt may have had its effect although no answer came. */
  | { readonly ok: false; readonly error: Error; readonly uncertain: boolean }

export interface AskOptions {
  /** Given when there is no use for the answer any more. */
  readonly signal?: AbortSignal | undefined
  /** When patience began to run, in milliseconds since 1970; default: now. */
  readonly since?: number
  /** Default: the log's. */
  readonly patienceMs?: number
}

/** Asks the server and asks again when connections fail: for whatever does no harm when it is done twice. */
export class Caller {
  readonly connection: Connection
  readonly contact: ServerHealth
  readonly options: CallerOptions
  readonly #closing = new AbortController()

  constructor(connection: Connection, options: CallerOptions) {
    this.connection = connection
    this.options = options
    this.contact = new ServerHealth({ connection, backoff: options.backoff, say: options.onWaiting }, this.signal)
    // Whatever waits for the server in an outage listens to it.
    setMaxListeners(0, this.signal)
  }

  /** Given when nothing is to be tried any more. */
  get signal(): AbortSignal {
    return this.#closing.signal
  }

  close(): void {
    this.#closing.abort()
  }

  async attempt<T>(
    what: (client: Client) => Promise<T>,
    { signal, since, patienceMs }: AskOptions = {},
  ): Promise<Asked<T>> {
    const trouble = new Trouble(this, patienceMs, since)
    const away = await trouble.awaitContact(signal)
    if (away) return { ok: false, error: away, uncertain: false }
    for (;;) {
      const { client } = this.connection
      try {
        return { ok: true, value: await what(client) }
      } catch (error) {
        const givenUp = await trouble.endure(error, client, signal)
        if (givenUp) return { ok: false, error: givenUp, uncertain: trouble.uncertain }
      }
    }
  }

  /** @throws {EventStoreUnavailable | EventStoreAccessDenied | EventStoreRefused} when it is given up */
  async ask<T>(what: (client: Client) => Promise<T>, options?: AskOptions): Promise<T> {
    const asked = await this.attempt(what, options)
    if (asked.ok) return asked.value
    throw asked.error
  }
}

/** Failures in a row, and how long they have lasted. */
export class Trouble {
  readonly #caller: Caller
  readonly #patienceMs: number
  #failures = 0
  #since: number
  /** A node has said that it is not the leader: what followed from that is not worth telling. */
  #notLeader: Error | undefined
  uncertain = false
  #last: Error | undefined

  /** @param patienceMs `Infinity`: until the log is closed */
  constructor(caller: Caller, patienceMs = caller.options.patienceMs, since = Date.now()) {
    this.#caller = caller
    this.#patienceMs = patienceMs
    this.#since = since
  }

  /** Something has worked again. */
  over(): void {
    this.#failures = 0
    this.#since = Date.now()
    this.#notLeader = undefined
  }

  /**
   * Waits before the next attempt; or gives the error to end with, when there is no point in one or patience is at its
   * end.
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
    this.#caller.contact.doubt()
    this.#last = explanation
    await pause(pauseAfter(this.#failures++, options.backoff), signal)
    return signal.aborted ? explanation : this.awaitContact(signal)
  }

  /**
   * Waits while the server is known not to answer: briefly, for what has not been tried yet. Gives the error to end with, when it still does not.
   */
  async awaitContact(signal = this.#caller.signal): Promise<Error | undefined> {
    const { contact, connection } = this.#caller
    const left = this.#patienceMs - (Date.now() - this.#since)
    const within = this.uncertain || left === Number.POSITIVE_INFINITY ? left : Math.min(left, BRIEF_MS)
    if (await contact.regained(within, signal)) return undefined
    return this.#last ?? new EventStoreUnavailable(`EventStoreDB cannot be reached at ${connection.address}`)
  }
}
