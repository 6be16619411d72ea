import type { Config } from '../config.ts'

type LogFormat = Config['logFormat']

/** Whether the log is for people. @param isTerminal whether it goes to a terminal */
export const isForPeople = (format: LogFormat, isTerminal: boolean): boolean =>
  format === 'text' || (format === 'auto' && isTerminal)

type Line = Readonly<Record<string, unknown>>

const FIRST_FAILURE = 400

/** Puts what people need of a request into its text. The id is only of use where something is wrong. */
const shortened = (line: Line): Line => {
  const { level, time, msg, operation, status, ms, request_id } = line
  if (msg !== 'request') return line
  const isFailure = Number(status) >= FIRST_FAILURE
  return { level, time, msg: `${operation} ${status} in ${ms} ms`, ...(isFailure && { request_id }) }
}

/** Returns a function that renders a JSON line of the log for people. */
export const rendererOf = async ({ colors }: { readonly colors: boolean }): Promise<(line: string) => string> => {
  // Loaded only where it is used, which saves time at the start of a service.
  const { default: pretty } = await import('pino-pretty')
  const render = pretty.prettyFactory({ translateTime: 'SYS:HH:MM:ss', singleLine: true, colorize: colors })
  return (line) => render(shortened(JSON.parse(line)))
}
