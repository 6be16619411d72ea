import { EventStoreDBClient } from '@eventstore/db-client'
import grpcStreams, { type StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type { CallOptions, ClientReadableStream, Metadata } from '@grpc/grpc-js'
import { BatchCall } from './wire/batch-call.ts'
import { BATCH_APPEND, READ, type ReadRequest, type ReadResponse } from './wire/protocol.ts'

/**
 * What the client has and its types keep to itself and its subclasses, which its connection strings do not make: looked at here and nowhere
 * else. A test holds the version in which this is so.
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

/** Holds the client, and replaces it by a fresh one when its connection is lost. */
export class Connection {
  /** The address for messages: without credentials. */
  readonly address: string
  readonly #url: string
  #client: EventStoreDBClient
  /** The call for appends of each client; those that are replaced end theirs with their connection. */
  readonly #batches = new WeakMap<EventStoreDBClient, Promise<BatchCall>>()

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

  /** The call that the appends of a client share. */
  batch(client: EventStoreDBClient): Promise<BatchCall> {
    const kept = this.#batches.get(client)
    if (kept) return kept
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

  /** What the server has for a request and goes on to have, for as long as this client is connected. */
  read(client: EventStoreDBClient, request: ReadRequest): Promise<ClientReadableStream<ReadResponse>> {
    return called(client, (grpc, ...args) =>
      grpc.makeServerStreamRequest(READ.path, READ.write, READ.read, request, ...args),
    )
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
    // An append that does not go with the others (see BatchCall) is a call of its own, with a deadline.
    internals(client).supports = () => Promise.resolve(false)
    return client
  }
}

/** Makes a call over the connection of a client, which is told how it ends. */
function called<T>(
  client: EventStoreDBClient,
  make: (grpc: StreamsClient, metadata: Metadata, options: CallOptions) => T,
  { requiresLeader = false } = {},
): Promise<T> {
  const within = internals(client)
  const [metadata, options] = within.callArguments({ requiresLeader }, { deadline: Number.POSITIVE_INFINITY })
  return within.GRPCStreamCreator(grpcStreams.StreamsClient, 'call', (grpc) => make(grpc, metadata, options))()
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
    const channel = await internals(client).getChannel()
    channel.close()
  } catch {
    // It never got as far as a channel.
  }
}
