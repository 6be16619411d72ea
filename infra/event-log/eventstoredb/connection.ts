import { EventStoreDBClient } from '@eventstore/db-client'

/** What the client has and its types keep to themselves. */
interface Internals {
  supports: () => Promise<boolean>
  getChannel(): Promise<{ close(): void }>
}

const KEEP_ALIVE_TIMEOUT_MS = 10_000

/** Holds the client, and replaces it by a fresh one when its connection is lost. */
export class Connection {
  /** The address for messages: without credentials. */
  readonly address: string
  readonly #url: string
  #client: EventStoreDBClient
  #renewals = 0

  /** @throws {Error} when the url is not a connection string; does not connect yet */
  constructor(url: string) {
    this.#url = url.trim()
    // A password may hold anything: all up to the last @ is left out.
    this.address = this.#url.replace(/^([^:]+:\/\/)(?:.*@)?([^/?]*).*$/s, '$1$2')
    this.#client = this.#open()
  }

  get client(): EventStoreDBClient {
    return this.#client
  }

  /** Makes way for a fresh client; without effect when somebody else has already done so. */
  renew(failed: EventStoreDBClient): void {
    if (failed !== this.#client) return
    this.#renewals++
    // The failed one has closed its channel by itself; what still goes on over it may come to its end.
    this.#client = this.#open()
  }

  /** Ends what is under way and lets go of the connection. */
  close(): void {
    void this.#client.dispose()
    void closeChannel(this.#client)
  }

  #open(): EventStoreDBClient {
    const client = parsed(withDefaults(this.#url, this.#renewals))
    // The client's batch stream keeps the appends of all clients of the process in one table: an error on one stream fails
    // them all, a late answer then throws from an event handler, and nothing limits the wait (its batchAppend.js). Without
    // the feature an append is a call of its own, with a deadline.
    const internals = client as unknown as Internals
    internals.supports = () => Promise.resolve(false)
    return client
  }
}

/**
 * Connections with equal options share their state below gRPC, its growing pause before the next attempt included. One that
 * differs by a millisecond tries at once: how long to wait is for us to say.
 */
function withDefaults(url: string, renewals: number): string {
  const given = /[?&]keep[-_]?alive[-_]?timeout=(\d+)/i.exec(url)?.[1]
  const timeout = Number(given ?? KEEP_ALIVE_TIMEOUT_MS) + (renewals % 1000)
  const start = url.includes('?') ? '&' : '?'
  return `${url}${start}keepAliveTimeout=${timeout}&throwOnAppendFailure=true`
}

function parsed(url: string): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(url)
  } catch (error) {
    // The message may quote the password: only what was expected where is passed on.
    const message = error instanceof Error ? error.message : ''
    const expected =
      /at position \d+, expected .*$/.exec(message)?.[0] ?? /^Failed to load .*$/.exec(message)?.[0] ?? ''
    throw new Error(`Not a connection string for EventStoreDB, such as esdb://user:password@host:2113: ${expected}`)
  }
}

async function closeChannel(client: EventStoreDBClient): Promise<void> {
  try {
    const channel = await (client as unknown as Internals).getChannel()
    channel.close()
  } catch {
    // It never got as far as a channel.
  }
}
