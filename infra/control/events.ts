import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'

export interface EventRange {
  /** First and last position wanted. */
  readonly from: number | undefined
  readonly to: number | undefined
  /** Only this stream. */
  readonly stream: string | undefined
  /** Go on with what happens from now on. */
  readonly follow: boolean
}

const line = (event: RecordedEvent): string => `${JSON.stringify(event)}\n`

/** Events as they happen; ends when nobody reads any more. */
async function* following(log: EventLog, after: number): AsyncGenerator<RecordedEvent> {
  let batch: readonly RecordedEvent[] = []
  let handOver = () => {}
  let ask = () => {}
  const subscription = log.subscribe(
    (events) =>
      new Promise<void>((resolve) => {
        batch = events
        ask = resolve
        handOver()
      }),
    { after },
  )
  try {
    for (;;) {
      if (batch.length === 0) await new Promise<void>((resolve) => (handOver = resolve))
      const events = batch
      batch = []
      yield* events
      ask()
    }
  } finally {
    ask()
    await subscription.close()
  }
}

/** The wanted part of the log as lines of JSON, as the log has it: personal data stays sealed. */
export async function* eventLines(log: EventLog, { from, to, stream, follow }: EventRange): AsyncGenerator<string> {
  const after = (from ?? 0) - 1
  const events = follow
    ? following(log, from === undefined ? await log.lastPosition() : after)
    : stream === undefined
      ? log.readAll({ after })
      : log.readStream(stream)
  for await (const event of events) {
    if (to !== undefined && event.position > to) return
    if (event.position > after && (stream === undefined || event.stream === stream)) yield line(event)
  }
}
