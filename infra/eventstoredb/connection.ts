import { EventStoreDBClient } from '@eventstore/db-client'
import grpcStreams, { type StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type { CallOptions, ClientReadableStream, Metadata } from '@grpc/grpc-js'
import { BatchCall } from './wire/batch-call.ts'
import { BATCH_APPEND, READ, type ReadRequest, type ReadResponse } from './wire/protocol.ts'

/**
 * Members of the client that its types hide. Its connection strings create no subclass that could use them, so they are used here, and only
 * here. A test pins the version of the client in which they exist.
 */
interface Internals {
  supports: () => Promise<boolean>
  getChannel(): Promise<{ close(): void }>
  GRPCStreamCreator<T>(
    kind: typeof StreamsClient,
    name: string,
    creator: (client: StreamsClient) => T,
  ): () => Promise<T>
  callArguments(options: { readonly requiresLeader: boolean }, call: CallOptions): [Metadata, CallOptions]
}

const internals = (client: EventStoreDBClient): Internals => client as unknown as Internals

/** Holds the client, and replaces it by a new one when its connection is lost. */
export class Connection {
  /** Address for messages, without credentials. */
  readonly address: string
  readonly #url: string
  #client: EventStoreDBClient
  /** Call for the appends of each client. The call of a replaced client ends with its connection. */
  readonly #batches = new WeakMap<EventStoreDBClient, Promise<BatchCall>>()

  /** Does not connect yet. @throws {Error} when the url is not a connection string */
  constructor(url: string) {
    this.#url = url.trim()
    // A password may contain any character: everything up to the last @ is left out.
    this.address = this.#url.replace(/^([^:]+:\/\/)(?:.*@)?([^/?]*).*$/s, '$1$2')
    this.#client = this.#open()
  }

  get client(): EventStoreDBClient {
    return this.#client
  }

  /** Returns the call that the appends of a client share. */
  batch(client: EventStoreDBClient): Promise<BatchCall> {
    const existing = this.#batches.get(client)
    if (existing) return existing
    const forget = () => void this.#batches.delete(client)
    const opening = called(
      client,
      (grpc, ...args) => grpc.makeBidiStreamRequest(BATCH_APPEND.path, BATCH_APPEND.write, BATCH_APPEND.read, ...args),
      { requiresLeader: true },
    ).then((call) => new BatchCall(call, forget))
    this.#batches.set(client, opening)
    opening.catch(forget)
    return opening
  }

  /** Reads the events for a request, and then new ones as they come, for as long as this client is connected. */
  read(client: EventStoreDBClient, request: ReadRequest): Promise<ClientReadableStream<ReadResponse>> {
    return called(client, (grpc, ...args) =>
      grpc.makeServerStreamRequest(READ.path, READ.write, READ.read, request, ...args),
    )
  }

  /** Replaces a client that has failed; has no effect when it has been replaced already. */
  renew(failed: EventStoreDBClient): void {
    if (failed !== this.#client) return
    // The failed client has closed its channel by itself. Calls that still run over it may finish.
    this.#client = this.#open()
  }

  /** Ends the calls under way and closes the connection. */
  close(): void {
    void this.#client.dispose()
    void closeChannel(this.#client)
  }

  #open(): EventStoreDBClient {
    const client = parsed(`${this.#url}${this.#url.includes('?') ? '&' : '?'}throwOnAppendFailure=true`)
    // An append that does not share a call (see BatchCall) is then a call of its own, with a deadline.
    internals(client).supports = () => Promise.resolve(false)
    return client
  }
}

/** Makes a call over the connection of a client, which learns how the call ends. */
function called<T>(
  client: EventStoreDBClient,
  make: (grpc: StreamsClient, metadata: Metadata, options: CallOptions) => T,
  { requiresLeader = false } = {},
): Promise<T> {
  const hidden = internals(client)
  const [metadata, options] = hidden.callArguments({ requiresLeader }, { deadline: Number.POSITIVE_INFINITY })
  return hidden.GRPCStreamCreator(grpcStreams.StreamsClient, 'call', (grpc) => make(grpc, metadata, options))()
}

function parsed(url: string): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(url)
  } catch (error) {
    // The message may quote the password. Only the position and the expected text are passed on.
    const message = error instanceof Error ? error.message : ''
    const expected =
      /at position \d+, expected .*$/.exec(message)?.[0] ?? /^Failed to load .*$/.exec(message)?.[0] ?? ''
    throw new Error(`Not a connection string for EventStoreDB, such as esdb://user:password@host:2113: ${expected}`)
  }
}

async function closeChannel(client: EventStoreDBClient): Promise<void> {
  try {
    const channel = await internals(client).getChannel()
    channel.close()
  } catch {
    // There is no channel: the client never connected.
  }
}
