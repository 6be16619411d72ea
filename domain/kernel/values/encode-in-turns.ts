import { timeSlices } from './turns.ts'

/** Encodes texts, some in each turn of the event loop. */
export const encodeInTurns = async (texts: Iterable<string>): Promise<readonly Buffer[]> => {
  const pause = timeSlices()
  const parts: Buffer[] = []
  for (const text of texts) {
    parts.push(Buffer.from(text))
    await pause()
  }
  return parts
}
