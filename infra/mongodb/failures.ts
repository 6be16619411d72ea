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
/** What a node answers that is not, or no longer, the primary, or is on its way down, or waits for the other nodes in vain. */
const PASSING_CODES = new Set<unknown>([64, 91, 189, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436])
const PASSING_LABELS = [
  MongoErrorLabel.RetryableWriteError,
  MongoErrorLabel.ResetPool,
  MongoErrorLabel.SystemOverloadedError,
]

/** What is under way while the connection is made anew ends with one of these. */
const ENDINGS = [MongoServerSelectionError, MongoNetworkError, MongoTopologyClosedError, MongoClientClosedError]

/** Of sockets: now and then the driver lets one through as it is. */
const SOCKET_CODES = new Set<unknown>([
  'ECONNRESET',
  'EPIPE',
  'ECONNREFUSED',
  'ECONNABORTED',
  'ETIMEDOUT',
  'ERR_STREAM_DESTROYED',
])

/** Why the server is out of reach for the moment, or `undefined` for an error of another kind. */
export const outageOf = (error: unknown): string | undefined => {
  if (ENDINGS.some((kind) => error instanceof kind)) return (error as Error).message
  // What cut a bulk of writes off is inside of what the driver throws.
  if (error instanceof MongoBulkWriteError && error.errorResponse instanceof Error) return outageOf(error.errorResponse)
  if (error instanceof Error && SOCKET_CODES.has((error as NodeJS.ErrnoException).code)) return error.message
  if (!(error instanceof MongoError) || refusedAccessOf(error) !== undefined) return undefined
  return PASSING_CODES.has(error.code) || PASSING_LABELS.some((label) => error.hasErrorLabel(label))
    ? error.message
    : undefined
}

/** How the server worded that it does not let the client in, or `undefined` for an error of another kind. */
export const refusedAccessOf = (error: unknown): string | undefined => {
  if (!(error instanceof MongoServerError)) return undefined
  return error.code === UNAUTHORIZED || error.code === AUTHENTICATION_FAILED ? error.message.split('\n')[0] : undefined
}

/** Whether all that went wrong is that documents were there already. */
export const isDuplicate = (error: unknown): boolean => {
  if (error instanceof MongoBulkWriteError) {
    const errors = [error.writeErrors].flat()
    return errors.length > 0 && errors.every(({ code }) => code === DUPLICATE_KEY)
  }
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY
}

/** Whether a collection to be dropped was gone already; not every server gives that a code. */
export const isMissing = (error: unknown): boolean =>
  error instanceof MongoServerError && (error.code === NAMESPACE_NOT_FOUND || error.message.includes('ns not found'))
