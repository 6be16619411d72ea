import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoErrorLabel,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb'

const UNAUTHORIZED = 13
const AUTHENTICATION_FAILED = 18
const NAMESPACE_NOT_FOUND = 26
const DUPLICATE_KEY = 11_000
/** Codes of a node that is not or no longer the primary, that shuts down, or that waits for other nodes in vain. */
const PASSING_CODES = new Set<unknown>([64, 91, 189, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436])
const PASSING_LABELS = [
  MongoErrorLabel.RetryableWriteError,
  MongoErrorLabel.ResetPool,
  MongoErrorLabel.SystemOverloadedError,
]

/** Errors of operations that are under way when the connection is lost or replaced. */
const CONNECTION_ERRORS = [
  MongoServerSelectionError,
  MongoNetworkError,
  MongoTopologyClosedError,
  MongoClientClosedError,
]

/** Codes of socket errors, which the driver sometimes passes on unwrapped. */
const SOCKET_CODES = new Set<unknown>([
  'ECONNRESET',
  'EPIPE',
  'ECONNREFUSED',
  'ECONNABORTED',
  'ETIMEDOUT',
  'ERR_STREAM_DESTROYED',
])

/** Returns the reason why the server cannot be reached for the moment, or `undefined` for an error of another kind. */
export const outageOf = (error: unknown): string | undefined => {
  if (CONNECTION_ERRORS.some((type) => error instanceof type)) return (error as Error).message
  // The driver wraps the error that interrupts a bulk write.
  if (error instanceof MongoBulkWriteError && error.errorResponse instanceof Error) return outageOf(error.errorResponse)
  if (error instanceof Error && SOCKET_CODES.has((error as NodeJS.ErrnoException).code)) return error.message
  if (!(error instanceof MongoError) || refusedAccessOf(error) !== undefined) return undefined
  return PASSING_CODES.has(error.code) || PASSING_LABELS.some((label) => error.hasErrorLabel(label))
    ? error.message
    : undefined
}

/** Returns the server's message when it refuses the client access, or `undefined` for an error of another kind. */
export const refusedAccessOf = (error: unknown): string | undefined => {
  if (!(error instanceof MongoServerError)) return undefined
  return error.code === UNAUTHORIZED || error.code === AUTHENTICATION_FAILED ? error.message.split('\n')[0] : undefined
}

/** Whether the only problem was that documents existed already. */
export const isDuplicate = (error: unknown): boolean => {
  if (error instanceof MongoBulkWriteError) {
    const errors = [error.writeErrors].flat()
    return errors.length > 0 && errors.every(({ code }) => code === DUPLICATE_KEY)
  }
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY
}

/** Whether a collection to be dropped did not exist. Some servers give no code for that. */
export const isMissing = (error: unknown): boolean =>
  error instanceof MongoServerError && (error.code === NAMESPACE_NOT_FOUND || error.message.includes('ns not found'))
