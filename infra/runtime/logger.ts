import pino, { type Logger } from 'pino'

/** The process's log: JSON lines on standard error, so that standard output stays for what a program reads. */
export const createLogger = (level: string): Logger =>
  // A write of its own for every line would cost a request more than all else that is done for the log.
  pino({ level, base: null }, pino.destination({ fd: 2, sync: false, minLength: 16_000, periodicFlush: 100 }))
