import type { EventLog } from '../domain/kernel/ports/event-log.ts'

/**
 * What is known of how far the service had come that wrote to these data: the position; or that they are a copy, whose original is still where it
 * was; or that they have been moved or copied, which cannot be told apart.
 */
export type Left = { readonly position: number } | 'copied' | 'moved or copied' | undefined

/** Note beside the log of how far the service had come that wrote to it. */
export interface LeftOff {
  /** Reads the note; `undefined`: there is none. */
  read(): Left
  write(position: number): void
}

const NOTED_EVERY_MS = 5000

/** Notes how far the log has come, at once, every few seconds and at the end. @returns what stops it */
export const notingLeftOff = (
  log: Pick<EventLog, 'lastPosition'>,
  leftOff: Pick<LeftOff, 'write'>,
  onFailure: (error: unknown) => void,
) => {
  let noted = -1
  const note = async () => {
    const position = await log.lastPosition()
    if (position === noted) return
    leftOff.write(position)
    noted = position
  }
  void note().catch(onFailure)
  const timer = setInterval(() => void note().catch(onFailure), NOTED_EVERY_MS)
  return async (): Promise<void> => {
    clearInterval(timer)
    await note().catch(onFailure)
  }
}
