import { EventStoreDBClient } from '@eventstore/db-client'

/** What the client has and its types keep to themselves. */
interface Internals {
  supports: () => Promise<boolean>
  getChannel(): Promise<{ close(): void }>
}

/** Holds the client, and replaces it by a fresh one when its connection is lost. */
export class Connection {
  /** The address for messages: without credentials. */
  readonly address: string
  readonly #url: string
  #client: EventStoreDBClient

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
    // The failed one has closed its channel by itself; what still goes on over it may come to its end.
    this.#client = this.#open()
  }

  /** Ends what is under way and lets go of the connection. */
  close(): void {
    void this.#client.dispose()
    void closeChannel(this.#client)
  }

  #open(): EventStoreDBClient {
    const client = parsed(`${this.#url}${this.#url.includes('?') ? '&' : '?'}throwOnAppendFailure=true`)
    // The client's batch stream keeps the appends of all clients of the process in one table: an error on one stream
    // fails them all, a late answer then throws from an event handler, and nothing limits the wait (its
    // batchAppend.js). Without the feature an append is a call of its own, with a deadline.
    const internals = client as unknown as Internals
    internals.supports = () => Promise.resolve(false)
    return client
  }
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
