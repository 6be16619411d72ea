import type { Append, EventLog } from '../../domain/kernel/ports/event-log.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { withOwn } from './with-own.ts'

interface Losing {
  /** Whether the caller of an append repeats what it does when the log is away. Nothing happens to other appends. */
  readonly isRepeated: (request: Append) => boolean
  /** Whether the answer to an append is lost. It is asked once for each that was carried out. */
  readonly loses: (request: Append) => boolean
  /** Number of appends after a lost answer for which the log stays away. It is asked for each lost answer; default: none. */
  readonly awayFor?: () => number
}

/** Returns a log that carries out appends and then, for some of them, answers that it is away. */
export const losingAnswers = (log: EventLog, { isRepeated, loses, awayFor = () => 0 }: Losing): EventLog => {
  let away = 0
  const append: EventLog['append'] = async (request) => {
    if (!isRepeated(request)) return log.append(request)
    if (away > 0) {
      away--
      throw refuse.unavailable('the log is away')
    }
    const appended = await log.append(request)
    if (!appended.ok || appended.repeated || !loses(request)) return appended
    away = awayFor()
    throw refuse.unavailable('the log did not answer')
  }
  return withOwn(log, { append })
}
