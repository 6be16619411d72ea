import { convertToCommandError, ErrorType, isCommandError } from '@eventstore/db-client'
import { status } from '@grpc/grpc-js'
import { appendTooLarge } from './append-check.ts'
import { EventStoreAccessDenied, EventStoreRefused, EventStoreUnavailable } from './errors.ts'

/** Result of a failed call: it had no effect, it may have had its effect, or the server will always refuse it. */
export type Failure = 'undone' | 'uncertain' | 'final'

/** Messages of gRPC and the server for calls that did not get far enough to have an effect. */
const UNDONE = new RegExp(
  [
    'No connection established',
    'Channel closed before',
    'Name resolution failed',
    'Server Is Not Ready',
    'Server Is Too Busy',
    'No leader info',
    'Failed to discover',
  ].join('|'),
)

const OUR_OWN = [EventStoreUnavailable, EventStoreAccessDenied, EventStoreRefused]

const LOST: ReadonlySet<ErrorType> = new Set([
  ErrorType.UNAVAILABLE,
  ErrorType.CANCELLED,
  ErrorType.TIMEOUT,
  ErrorType.DEADLINE_EXCEEDED,
])

/** Codes of connection failures for which the client has no type, such as a stream that was reset or a subscriber that was too slow. */
const LOST_CODES: ReadonlySet<number | undefined> = new Set([
  status.UNKNOWN,
  status.INTERNAL,
  status.UNAVAILABLE,
  status.ABORTED,
])

export function failureOf(thrown: unknown): Failure {
  const error = asError(thrown)
  if (UNDONE.test(error.message)) return 'undone'
  if (error instanceof EventStoreUnavailable) return 'undone'
  if (!isCommandError(error)) return error instanceof ConnectionLost ? 'uncertain' : 'final'
  if (error.type === ErrorType.NOT_LEADER) return 'undone'
  if (LOST.has(error.type)) return 'uncertain'
  return error.type === ErrorType.UNKNOWN && LOST_CODES.has(error.code) ? 'uncertain' : 'final'
}

/** Whether a new connection may work where this one has failed. */
export function isConnectionLost(thrown: unknown): boolean {
  const error = asError(thrown)
  if (!isCommandError(error)) return UNDONE.test(error.message)
  return error.type === ErrorType.UNAVAILABLE || error.type === ErrorType.CANCELLED
}

/** The server was silent for too long, or ended the call. */
export class ConnectionLost extends Error {}

export function isStreamNotFound(error: unknown): boolean {
  return error instanceof Error && isCommandError(error) && error.type === ErrorType.STREAM_NOT_FOUND
}

export function isNotLeader(error: unknown): boolean {
  return error instanceof Error && isCommandError(error) && error.type === ErrorType.NOT_LEADER
}

/** Returns the failure with a message that says what to do. @param address of the server, without credentials */
export function explained(thrown: unknown, address: string): Error {
  const error = asError(thrown)
  const { message } = error
  if (OUR_OWN.some((kind) => error instanceof kind)) return error
  const options = { cause: error }
  if (isCommandError(error) && error.type === ErrorType.NOT_LEADER) {
    const { address: host, port } = error.leader
    const hint = `it names ${host}:${port}, which does not take the call either; is that address reachable from here?`
    return new EventStoreUnavailable(
      `The EventStoreDB node ${address} is not the leader of its cluster: ${hint}`,
      options,
    )
  }
  if (isCommandError(error) && (error.type === ErrorType.ACCESS_DENIED || error.code === status.PERMISSION_DENIED)) {
    return new EventStoreAccessDenied(accessHint(error.code, address), options)
  }
  if (isCommandError(error) && error.type === ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED)
    return appendTooLarge(error.maxAppendSize)
  if (failureOf(error) === 'final')
    return new EventStoreRefused(`EventStoreDB at ${address} refuses: ${message}`, options)
  return new EventStoreUnavailable(`EventStoreDB cannot be reached at ${address}: ${reason(message)}`, options)
}

function accessHint(code: number | undefined, address: string): string {
  return code === status.UNAUTHENTICATED
    ? `EventStoreDB at ${address} does not accept the user name and password of its connection string`
    : `EventStoreDB at ${address} denies access: the connection string must name a user who may read $all and write streams`
}

function reason(message: string): string {
  if (/wrong version number|packet length too long|SSL routines/.test(message)) {
    return 'it does not speak TLS there; add ?tls=false to the connection string if that is intended'
  }
  if (/self.signed certificate|unable to (get|verify)/.test(message)) {
    return 'its certificate is not trusted; name the authority with ?tlsCAFile= in the connection string'
  }
  if (message.includes('Failed to discover')) return 'none of these addresses knows of a node that leads the cluster'
  return /Last error: (?:Error: )?(.*?)\.? Resolution note/.exec(message)?.[1] ?? message.replace(/^\d+ [A-Z_]+: /, '')
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? convertToCommandError(thrown) : new Error(String(thrown))
}
