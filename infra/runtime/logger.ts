import pino, { type Logger } from 'pino'

/** The process's log: JSON lines on standard error, so that standard output stays for what a program reads. */
export const createLogger = (level: string): Logger =>
  pino({ level, base: null }, pino.destination({ fd: 2, sync: false }))
