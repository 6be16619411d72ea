import { Agent } from 'undici'
import { guardedConnector } from './connector.ts'

const CONNECTIONS_PER_ORIGIN = 128
const IDLE_MS = 10_000
const MAX_HEADER_BYTES = 16_384

/** What keeps the connections of a client, each of them held against the guard. A module of its own, so that a process that calls nobody does not load HTTP's client. */
export const agentOf = (...guarded: Parameters<typeof guardedConnector>): Agent =>
  new Agent({
    connect: guardedConnector(...guarded),
    connections: CONNECTIONS_PER_ORIGIN,
    keepAliveTimeout: IDLE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The exchange has a deadline of its own over everything.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
