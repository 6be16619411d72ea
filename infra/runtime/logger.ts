import pino, { type DestinationStream, type Logger } from 'pino'
import { withoutAddresses } from '../../domain/kernel/react/failure.ts'
import type { Config } from '../config.ts'
import { isForPeople, rendererOf } from './log-format.ts'

const WRITTEN_AFTER_MS = 100

/**
 * Creates a destination that writes lines together, soon after the first of them. A write for each line would cost a
 * request more than everything else in logging. Writes at fixed times would wake an idle process.
 *
 * @param render changes the form of a line
 */
const standardError = (render: (line: string) => string = (line) => line) => {
  const out = pino.destination({ fd: 2, sync: false, minLength: 16_000 })
  let isAwaited = false
  const flush = () => {
    isAwaited = false
    out.flush()
  }
  return {
    write(line: string) {
      out.write(render(line))
      if (isAwaited) return
      isAwaited = true
      setTimeout(flush, WRITTEN_AFTER_MS).unref()
    },
    flush: (then: () => void) => out.flush(then),
    flushSync: () => out.flushSync(),
  }
}

/** How deep causes of errors are nested in the log. */
const MOST_CAUSES = 4

/**
 * Returns the part of an error that may be logged. Drivers attach their input to errors, such as the documents of a failed
 * write, with personal data in them. Only fields that show the origin of an error are kept.
 */
const loggable = (error: unknown, depth = 0): unknown => {
  if (!(error instanceof Error)) return typeof error === 'string' ? withoutAddresses(error) : typeof error
  const { name, message, stack, cause, code } = error as Error & { readonly code?: unknown }
  return {
    type: name,
    message: withoutAddresses(message),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(stack !== undefined && { stack: withoutAddresses(stack) }),
    ...(cause !== undefined && depth < MOST_CAUSES && { cause: loggable(cause, depth + 1) }),
  }
}

/** Creates the process's log: lines on standard error, because standard output is for results that programs read. Default: JSON lines. */
export const createLogger = (level: string, destination: DestinationStream = standardError()): Logger =>
  pino({ level, base: null, serializers: { err: (error: unknown) => loggable(error) } }, destination)

/** Creates the process's log on standard error in its configured form. */
export const openLogger = async (level: string, format: Config['logFormat']): Promise<Logger> => {
  const { isTTY = false } = process.stderr
  if (!isForPeople(format, isTTY)) return createLogger(level)
  return createLogger(level, standardError(await rendererOf({ colors: isTTY && process.stderr.hasColors() })))
}
