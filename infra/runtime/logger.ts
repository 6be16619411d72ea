import pino, { type DestinationStream, type Logger } from 'pino'
import { withoutAddresses } from '../../domain/kernel/react/failure.ts'

const WRITTEN_AFTER_MS = 100

/**
 * A write of its own for every line would cost a request more than all else that is done for the log, and one at set times would wake a process
 * that has nothing to say: lines are written together, soon after the first of them.
 */
const standardError = () => {
  const out = pino.destination({ fd: 2, sync: false, minLength: 16_000 })
  let isAwaited = false
  const flush = () => {
    isAwaited = false
    out.flush()
  }
  return {
    write(line: string) {
      out.write(line)
      if (isAwaited) return
      isAwaited = true
      setTimeout(flush, WRITTEN_AFTER_MS).unref()
    },
    flush: (then: () => void) => out.flush(then),
    flushSync: () => out.flushSync(),
  }
}

/** Errors that are the causes of each other, told one in another. */
const MOST_CAUSES = 4

/**
 * What is told of an error. Drivers hang what they were given on their errors, such as the documents of a write that failed, with what is personal in
 * them: only what says where it comes from is told.
 */
const told = (error: unknown, depth = 0): unknown => {
  if (!(error instanceof Error)) return typeof error === 'string' ? withoutAddresses(error) : typeof error
  const { name, message, stack, cause, code } = error as Error & { readonly code?: unknown }
  return {
    type: name,
    message: withoutAddresses(message),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(stack !== undefined && { stack: withoutAddresses(stack) }),
    ...(cause !== undefined && depth < MOST_CAUSES && { cause: told(cause, depth + 1) }),
  }
}

/** The process's log: JSON lines on standard error, so that standard output stays for what a program reads. */
export const createLogger = (level: string, destination: DestinationStream = standardError()): Logger =>
  pino({ level, base: null, serializers: { err: (error: unknown) => told(error) } }, destination)
