import { Agent } from 'undici'
import { guardedConnector } from './connector.ts'

const CONNECTIONS_PER_ORIGIN = 128
const IDLE_MS = 10_000
const MAX_HEADER_BYTES = 16_384

/**
 * Creates the connection pool of a client. The guard checks each connection. A module of its own, so that a process without
 * outgoing requests does not load the HTTP client.
 */
export const agentOf = (...guarded: Parameters<typeof guardedConnector>): Agent =>
  new Agent({
    connect: guardedConnector(...guarded),
    connections: CONNECTIONS_PER_ORIGIN,
    keepAliveTimeout: IDLE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The exchange has one deadline for everything.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
